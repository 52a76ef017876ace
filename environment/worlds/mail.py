"""Mail: a shared mailbox to search, label and answer; what is sent is gone."""

import datetime
import math
import random
from collections import Counter
from typing import Any

from environment.meanings import TODAY, say_date
from environment.people import Person, people
from environment.state import Row, Tables, View
from environment.world import (
    Output,
    Parameter,
    ToolError,
    Undo,
    World,
    array,
    boolean,
    choice,
    content_id,
    date,
    generator,
    integer,
    number,
    text,
)
from trajectory import canonical

_TOPICS = {
    "invoice": "Invoice {n} over {amount} EUR",
    "contract": "Contract draft {n} for signature",
    "travel plan": "Travel plan {n}, departure {day}",
    "complaint": "Complaint {n}: please look into this",
    "application": "Application {n} for the open position",
    "project report": "Project report {n} up to {day}",
}
_LABELS = ("urgent", "to pay", "waiting", "private", "archive")
_KINDS = ("pdf", "spreadsheet", "photo")
_TEMPLATES = {
    "invitation": ("You are invited", "Dear {name}, you are invited{day}{amount}."),
    "payment reminder": ("Payment reminder", "Dear {name}, a payment is still open{amount}{day}."),
    "thank-you note": ("Thank you", "Dear {name}, thank you very much{amount}{day}."),
    "confirmation": ("Confirmation", "Dear {name}, we confirm your order{amount}{day}."),
    "refusal": ("Our decision", "Dear {name}, we are sorry to say no{day}{amount}."),
}
_BODIES = (
    "I'm running about an hour late.",
    "The documents arrived safely, thank you.",
    "Please call me back when you find a moment.",
    "The office stays closed on Friday.",
    "Everything is ready for the visit.",
    "We need one more week for the review.",
)
_SUBJECTS = ("Quick note", "For your information", "News from the office", "About our last talk")
_LONGEST = 4000


def _tables(seed: int) -> Tables:
    rng = generator(seed, "mail")
    writers = rng.sample(people(seed), 48)
    mails: dict[str, Row] = {}
    files: dict[str, Row] = {}
    for place in range(320):
        mail = _mail(rng, place, rng.choice(writers))
        mails[mail["mail_id"]] = mail
        for part in range(rng.choice((0, 0, 1, 2))):
            file_id = content_id("at", mail["mail_id"], part)
            size = round(rng.choice((0.1, 0.4, 1.3)) * rng.randrange(1, 30), 1)
            kind = rng.choice(_KINDS)
            files[file_id] = {"file_id": file_id, "kind": kind, "size_mb": size}
            mail["files"].append(file_id)
    topics = {topic: {"mail_ids": [mail_id for mail_id, mail in sorted(mails.items())
                                   if mail["topic"] == topic]} for topic in _TOPICS}  # fmt: skip
    return {"mails": mails, "files": files, "topics": topics, "sent": {}}


def _mail(rng: random.Random, place: int, writer: Person) -> dict[str, Any]:
    topic = rng.choice(list(_TOPICS))
    sent = TODAY - datetime.timedelta(days=rng.randrange(1, 150))
    deadline = TODAY + datetime.timedelta(days=rng.randrange(2, 60))
    amount = rng.randrange(20, 900) + rng.choice((0, 0.5, 0.75))
    return {
        "mail_id": content_id("ml", place, writer.email, topic),
        "topic": topic,
        "subject": _TOPICS[topic].format(n=place + 2301, amount=amount, day=deadline.isoformat()),
        "sender": writer.name,
        "from": writer.email,
        "city": writer.city,
        "sent": sent.isoformat(),
        "deadline": deadline.isoformat(),
        "amount": amount,
        "labels": sorted(rng.sample(_LABELS, rng.choice((0, 0, 1, 2)))),
        "files": [],
    }


WORLD = World("mail", "A mailbox: searching, labelling, templates and sending.", _tables)

_IDS = array(
    "Ids of the mails.", text("Id of a mail.", "mail_id"), minItems=1, maxItems=60, uniqueItems=True
)


def _quoted(description: str, values: tuple[str, ...], **more: Any) -> Parameter:
    """Prose that a user dictates, in quotation marks, or that a template gives."""
    says = {canonical.dumps(value): f'"{value}"' for value in values}
    more |= {"says": says, "pool": lambda view, rng: rng.choice(values)}
    return text(description, "text", minLength=1, **more)


def _known_mail(view: View, mail_id: str) -> Row:
    mail = view.get("mails", mail_id)
    if mail is None:
        raise ToolError(f"no mail in this mailbox has the id '{mail_id}'")
    return mail


@WORLD.tool(
    "Search the mailbox by topic and, if given, by sender, label, first day and whether a file is "
    "attached. Reads the labels that mails carry.",
    parameters={
        "topic": choice("What the mail is about.", "mail_topic", tuple(_TOPICS)),
        "order": choice("Which mail comes first.", "mail_order", ("newest", "oldest")),
        "sender": text("E-mail address of the sender.", "email", optional=True,
                       pool=lambda view, rng: rng.choice(view.values("mails"))["from"]),
        "label": choice("Label that the mail carries.", "mail_label", _LABELS, optional=True),
        "since": date(
            "First day of sending, YYYY-MM-DD.", optional=True,
            pool=lambda view, rng: (
                TODAY - datetime.timedelta(days=rng.randrange(30, 120))
            ).isoformat(),
        ),
        "with_files": boolean(
            "Only mails with attachments, or only mails without.", "flag", optional=True,
            says={"true": "with attachments", "false": "without attachments"},
        ),
    },
    outputs=(
        Output("mails[0].mail_id", "mail_id", (
            ("the {order} {topic} mail[ from {sender}][ labelled {label}][ since {since}]"
             "[ {with_files}]"),
            ("the {order} message about a matter of type {topic}[ that {sender} sent]"
             "[, marked {label}][, not older than {since}][, {with_files}]"),
        )),
        Output("mails[0].from", "email", (
            ("the sender address of the {order} {topic} mail[ from {sender}][ labelled {label}]"
             "[ since {since}][ {with_files}]"),
            ("the address behind the {order} {topic} message[ of {sender}][, marked {label}]"
             "[, not older than {since}][, {with_files}]"),
        )),
        Output("mail_ids", "list:mail_id", (
            ("all {topic} mails[ from {sender}][ labelled {label}][ since {since}][ {with_files}], "
             "{order} first"),
            ("every {topic} message in the mailbox[ that {sender} sent][, marked {label}]"
             "[, not older than {since}][, {with_files}], the {order} on top"),
        )),
        Output("count", "count", (
            ("the number of {topic} mails[ from {sender}][ labelled {label}][ since {since}]"
             "[ {with_files}], {order} first"),
            ("how many {topic} messages there are[ from {sender}][, marked {label}]"
             "[, not older than {since}][, {with_files}], listed {order} first"),
        )),
    ),
    wishes=(
        ("Show me the {topic} mails[ from {sender}][ labelled {label}][ since {since}]"
         "[ {with_files}], {order} first."),
        ("Search the mailbox: {topic}[, sent by {sender}][, label {label}][, from {since} on]"
         "[, {with_files}], sorted {order} first."),
        ("Did we get any {topic} mail[ from {sender}][ with the label {label}][ after {since}]"
         "[, {with_files}]? Start with the {order}."),
    ),
    reads=("mails", "topics"),
)  # fmt: skip
def search_mail(
    view: View,
    topic: str,
    order: str,
    sender: str | None = None,
    label: str | None = None,
    since: str = "",
    with_files: bool | None = None,
) -> dict[str, Any]:
    """Mails by day, ties by id."""
    listed = view.get("topics", topic) or {"mail_ids": ()}
    found = [
        mail
        for mail in (_known_mail(view, mail_id) for mail_id in listed["mail_ids"])
        if sender in (None, mail["from"])
        and (label is None or label in mail["labels"])
        and mail["sent"] >= since
        and with_files in (None, bool(mail["files"]))
    ]
    found.sort(key=lambda mail: str(mail["sent"]), reverse=order == "newest")
    shown = ("mail_id", "from", "subject", "sent", "labels")
    return {
        "mails": [{key: mail[key] for key in shown} for mail in found[:10]],
        "mail_ids": [mail["mail_id"] for mail in found[:60]],
        "count": len(found),
    }


@WORLD.tool(
    "Read one mail: sender, subject, the sum and the deadline that it names, labels, files.",
    parameters={"mail_id": text("Id of the mail.", "mail_id")},
    outputs=(
        Output("sender", "person", (
            "the person who wrote {mail_id}",
            "whoever sent {mail_id}",
        )),
        Output("amount", "price", (
            "the sum named in {mail_id}",
            "the amount of money mentioned in {mail_id}",
        )),
        Output("deadline", "date", (
            "the deadline named in {mail_id}",
            "the day by which {mail_id} wants an answer",
        )),
        Output("city", "city", (
            "the city in which {mail_id} was written",
            "the place given below the signature of {mail_id}",
        )),
        Output("subject", "text", (
            "the subject line of {mail_id}",
            "what stands in the subject of {mail_id}",
        )),
    ),
    wishes=(
        "Open {mail_id}.",
        "What does {mail_id} say?",
        "Please read {mail_id} to me, with its sum and its deadline.",
    ),
    reads=("mails",),
)  # fmt: skip
def read_mail(view: View, mail_id: str) -> dict[str, Any]:
    """One mail in full."""
    return dict(_known_mail(view, mail_id))


@WORLD.tool(
    "Rank the senders of the mailbox by how many mails they sent since a day, busiest first.",
    parameters={
        "since": date(
            "First day that counts, YYYY-MM-DD.",
            pool=lambda view, rng: (
                TODAY - datetime.timedelta(days=rng.randrange(20, 140))
            ).isoformat(),
        ),
        "top": integer("How many senders to return.", "count", minimum=1, maximum=20),
        "topic": choice("Only mails on this topic.", "mail_topic", tuple(_TOPICS), optional=True),
    },
    outputs=(
        Output("addresses", "list:email", (
            "the addresses of the top {top} senders[ of {topic} mails] since {since}",
            "the {top} addresses that have written most[ about {topic} matters] since {since}",
        )),
        Output("senders[0].from", "email", (
            "the address that leads the top {top} of senders[ of {topic} mails] since {since}",
            "the busiest among the top {top} writers[ of {topic} mails] since {since}",
        )),
        Output("senders[0].mails", "count", (
            ("the number of mails from the busiest of the top {top} senders[ of {topic} mails] "
             "since {since}"),
            ("how often the leader of the top {top} writers[ of {topic} mails] has written since "
             "{since}"),
        )),
    ),
    wishes=(
        "Who are the top {top} senders[ of {topic} mails] since {since}?",
        "Rank our correspondents since {since}[, {topic} only], and give me the top {top}.",
        ("I wonder who has been writing to us most[ about {topic} matters] since {since}; "
         "the top {top} will do."),
    ),
    reads=("mails",),
)  # fmt: skip
def rank_senders(view: View, since: str, top: int, topic: str | None = None) -> dict[str, Any]:
    """Addresses by number of mails, ties by address."""
    counts = Counter(
        mail["from"]
        for mail in view.values("mails")
        if mail["sent"] >= since and topic in (None, mail["topic"])
    )
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:top]
    return {
        "senders": [{"from": address, "mails": count} for address, count in ranked],
        "addresses": [address for address, _ in ranked],
    }


@WORLD.tool(
    "Collect the files attached to some mails, largest first, with their size in all.",
    parameters={
        "mail_ids": _IDS,
        "kind": choice("Only files of this kind.", "file_kind", _KINDS, optional=True),
    },
    outputs=(
        Output("file_ids", "list:mail_file_id", (
            "the[ {kind}] files attached to {mail_ids}",
            "every[ {kind}] attachment that came with {mail_ids}",
        )),
        Output("file_ids[0]", "mail_file_id", (
            "the largest[ {kind}] file attached to {mail_ids}",
            "the biggest[ {kind}] attachment of {mail_ids}",
        )),
        Output("total_mb", "amount", (
            "the size of all[ {kind}] files attached to {mail_ids}",
            "the megabytes of[ {kind}] attachments that {mail_ids} carry",
        )),
    ),
    wishes=(
        "Which[ {kind}] files are attached to {mail_ids}?",
        "Gather the[ {kind}] attachments of {mail_ids}, biggest first.",
        "Could you get me all[ {kind}] files that came with {mail_ids}?",
    ),
    reads=("mails", "files"),
)  # fmt: skip
def collect_attachments(view: View, mail_ids: list[str], kind: str | None = None) -> dict[str, Any]:
    """Files by size, ties by id."""
    ids = sorted(
        {file_id for mail_id in mail_ids for file_id in _known_mail(view, mail_id)["files"]}
    )
    files = [_known_file(view, file_id) for file_id in ids]
    chosen = [file for file in files if kind in (None, file["kind"])]
    chosen.sort(key=lambda file: (-file["size_mb"], file["file_id"]))
    total = round(math.fsum(file["size_mb"] for file in chosen), 1)
    return {
        "file_ids": [file["file_id"] for file in chosen],
        "count": len(chosen),
        "total_mb": total,
    }


def _known_file(view: View, file_id: str) -> Row:
    file = view.get("files", file_id)
    if file is None:
        raise ToolError(f"there is no attachment '{file_id}'")
    return file


@WORLD.tool(
    "Fill in one of the mail templates for a recipient: gives subject and text, sends nothing.",
    parameters={
        "template": choice("Which template.", "mail_template", tuple(_TEMPLATES)),
        "recipient": text("Full name of the recipient.", "person"),
        "day": date("Day to name in it, YYYY-MM-DD.", optional=True),
        "amount": number("Sum in EUR to name in it.", "price", minimum=0, optional=True),
    },
    outputs=(
        Output("text", "text", (
            ("the text of our {template} template, made out to {recipient}[, naming {day} as the "
             "day][, naming a sum of {amount}]"),
            ("a ready-made {template} for {recipient}[ with {day} as the date]"
             "[ with {amount} as the sum]"),
        )),
    ),
    wishes=(
        "Draft our {template} for {recipient}[, dated {day}][, over {amount}]; don't send it.",
        ("Please prepare our standard {template} for {recipient}[, with {day} as the day]"
         "[ and {amount} as the sum]."),
        ("What would our {template} to {recipient} read like[ with {day} filled in]"
         "[ and {amount} put in as the sum]?"),
    ),
)  # fmt: skip
def fill_template(
    view: View,
    template: str,
    recipient: str,
    day: str | None = None,
    amount: float | None = None,
) -> dict[str, Any]:
    """Subject and text of a template."""
    subject, body = _TEMPLATES[template]
    said = {
        "name": recipient,
        "day": f", on {say_date(day)}" if day else "",
        "amount": f", {amount:.2f} EUR" if amount is not None else "",
    }
    return {"subject": subject, "text": body.format(**said)}


@WORLD.tool(
    "Send a mail to one or more addresses, with files of the mailbox if wanted. Adds to the sent "
    "mails; what is sent can't be called back.",
    parameters={
        "to": array(
            "Addresses of the recipients.", text("An e-mail address.", "email"), minItems=1,
            maxItems=20, uniqueItems=True,
        ),
        "body": _quoted("Text of the mail.", _BODIES, maxLength=_LONGEST),
        "subject": _quoted("Subject line.", _SUBJECTS, maxLength=200, optional=True),
        "file_ids": array(
            "Ids of the files to attach.", text("Id of a file.", "mail_file_id"), minItems=1,
            maxItems=60, uniqueItems=True, optional=True,
        ),
    },
    outputs=(
        Output("sent_id", "sent_mail_id", (
            "the mail to {to} that reads {body}[, headed {subject}][, with {file_ids} attached]",
            ("what was sent to {to} with the text {body}[ and the subject {subject}]"
             "[ plus {file_ids}]"),
        )),
        Output("recipients", "count", (
            ("the number of people who get the mail to {to} that reads {body}[, headed {subject}]"
             "[, with {file_ids} attached]"),
            ("how many recipients the message {body} to {to} has[ under the subject {subject}]"
             "[ with {file_ids}]"),
        )),
    ),
    wishes=(
        "Send {to} this mail: {body}[ Subject: {subject}][ Attach {file_ids}].",
        ("Please write to {to}; the text is {body}[, the subject {subject}][, and attach "
         "{file_ids}]."),
        ("Let {to} have a mail that consists of {body}[ under the heading {subject}]"
         "[, together with {file_ids}]."),
    ),
    reads=("files", "sent"),
    writes=("sent",),
)  # fmt: skip
def send_mail(
    view: View,
    to: list[str],
    body: str,
    subject: str = "(no subject)",
    file_ids: list[str] | None = None,
) -> dict[str, Any]:
    """A sent mail; sending again sends another one."""
    for address in to:
        if "@" not in address[1:-1]:
            raise ToolError(f"'{address}' is not an e-mail address")
    size = round(math.fsum(_known_file(view, file_id)["size_mb"] for file_id in file_ids or ()), 1)
    if size > 60:
        raise ToolError(f"the {len(file_ids or ())} attachments make {size} MB; 60 MB can be sent")
    row = {"to": sorted(to), "subject": subject, "body": body, "files": sorted(file_ids or ())}
    base = content_id("sm", row)
    copies = sum(key.startswith(base) for key, _ in view.rows("sent"))
    sent_id = f"{base}.{copies + 1}"
    view.put("sent", sent_id, row)
    return {"sent_id": sent_id, "subject": subject, "recipients": len(to), "size_mb": size}


@WORLD.tool(
    "Put a label on mails. Changes the labels of each; refused if one of them carries it already.",
    parameters={"mail_ids": _IDS, "label": choice("The label.", "mail_label", _LABELS)},
    wishes=(
        "Label {mail_ids} as {label}.",
        "Please mark {mail_ids} with the label {label}.",
        "I want to find them again: put the label {label} on {mail_ids}.",
    ),
    reads=("mails",),
    writes=("mails",),
    undo=Undo("unlabel_mail", {"mail_ids": "arguments.mail_ids", "label": "arguments.label"}),
)  # fmt: skip
def label_mail(view: View, mail_ids: list[str], label: str) -> dict[str, Any]:
    """A label more on every mail."""
    mails = [_known_mail(view, mail_id) for mail_id in mail_ids]
    for mail in mails:
        if label in mail["labels"]:
            raise ToolError(f"{mail['mail_id']} is already labelled '{label}'")
    for mail in mails:
        view.put("mails", mail["mail_id"], {**mail, "labels": sorted((*mail["labels"], label))})
    return {
        "label": label,
        "labelled": sum(label in mail["labels"] for mail in view.values("mails")),
    }


@WORLD.tool(
    "Take a label off mails. Changes the labels of each; refused if one of them doesn't carry it.",
    parameters={"mail_ids": _IDS, "label": choice("The label.", "mail_label", _LABELS)},
    wishes=(
        "Remove the label {label} from {mail_ids}.",
        "{mail_ids} should not be marked {label} any more; please clear that.",
        "Take {label} off {mail_ids}.",
    ),
    reads=("mails",),
    writes=("mails",),
    undo=Undo("label_mail", {"mail_ids": "arguments.mail_ids", "label": "arguments.label"}),
)  # fmt: skip
def unlabel_mail(view: View, mail_ids: list[str], label: str) -> dict[str, Any]:
    """A label less on every mail."""
    mails = [_known_mail(view, mail_id) for mail_id in mail_ids]
    for mail in mails:
        if label not in mail["labels"]:
            raise ToolError(f"{mail['mail_id']} does not carry the label '{label}'")
    for mail in mails:
        labels = [other for other in mail["labels"] if other != label]
        view.put("mails", mail["mail_id"], {**mail, "labels": labels})
    return {
        "label": label,
        "labelled": sum(label in mail["labels"] for mail in view.values("mails")),
    }
