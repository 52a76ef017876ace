"""Publishing: what goes to the Hub, and what never does."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from build.dataset import write_config
from build.publish import main, to_upload
from tests.build.hub import Hub, serving
from tests.build.samples import sample
from trajectory.files import InputError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A dataset's folder with one config, and things that must stay where they are."""
    data = tmp_path / "pararecover"
    write_config(data, "level1", "test", [sample(1)])
    (data / "pararecover.py").write_text("raise SystemExit", "utf-8")
    (data / "level1" / "notes.txt").write_text("mine", "utf-8")
    return data


def publish(hub: Hub, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run the command as a user does, the real huggingface_hub talking to the stand-in."""
    environment = {
        **os.environ,
        "HF_ENDPOINT": hub.url,
        "HF_HUB_DISABLE_XET": "1",
        "HF_TOKEN": "hf_secret_of_the_test",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    }
    command: Sequence[str] = [sys.executable, "-m", "build.publish", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_card_and_parquet_go_and_nothing_else(folder: Path) -> None:
    with serving() as hub:
        hub.files["level1/test-00000000.parquet"] = b"older"
        hub.files["LICENSE"] = b"theirs"
        done = publish(hub, "somebody/pararecover", "--data", str(folder), "--json")
        assert done.returncode == 0, done.stderr
        parquet = next(folder.glob("level1/*.parquet"))
        assert sorted(hub.files) == ["LICENSE", "README.md", f"level1/{parquet.name}"]
        assert hub.files[f"level1/{parquet.name}"] == parquet.read_bytes()
        assert hub.commits == 1
        assert json.loads(done.stdout)["where"].startswith(hub.url)
        assert "hf_secret" not in done.stdout + done.stderr
        # The check of the card's header asks for none.
        assert hub.tokens - {""} == {"Bearer hf_secret_of_the_test"}


def test_a_dry_run_talks_to_nobody(folder: Path) -> None:
    with serving() as hub:
        done = publish(hub, "somebody/pararecover", "--data", str(folder), "--dry-run")
        assert done.returncode == 0, done.stderr
        assert "README.md" in done.stdout
        assert "pararecover.py" not in done.stdout
        assert not hub.tokens


def test_a_refusal_is_one_line_without_the_token(folder: Path) -> None:
    with serving() as hub:
        hub.refuses = 401
        done = publish(hub, "somebody/pararecover", "--data", str(folder))
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert "HF_TOKEN" in done.stderr
    assert "hf_secret" not in done.stderr


def test_a_card_that_names_a_lost_file_is_not_published(folder: Path) -> None:
    next(folder.glob("level1/*.parquet")).unlink()
    with pytest.raises(InputError, match="gone"):
        to_upload(folder)


@pytest.mark.parametrize("name", ["pararecover", "a/b/c", "/x", "x/"])
def test_a_wrong_name_is_told(name: str) -> None:
    with pytest.raises(InputError, match="owner/name"):
        main([name, "--dry-run"])
