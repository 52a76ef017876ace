"""Kitchen: recipes, what they need for a table, the pantry, stand-ins and shopping lists."""

import math
import random
from collections.abc import Sequence
from typing import Any

from environment.meanings import TODAY
from environment.state import Row, Tables, View
from environment.world import (
    Output,
    ToolError,
    Undo,
    World,
    array,
    choice,
    content_id,
    date,
    draw_from,
    generator,
    integer,
    number,
    record,
    text,
)

# Name, kcal and grams of protein per 100 g, EUR per kg, and what keeps it from a diet:
# m meat or fish, a animal product, d dairy, g gluten, n nuts.
_INGREDIENTS = """
almonds 579 21 14.5 n|aubergine 25 1 3.2|avocado 160 2 7.9|basil 23 3 18|beef 250 26 15.9 ma
bell pepper 31 1 4.1|black beans 132 9 2.9|bread 265 9 3.4 g|broccoli 34 3 3.3|bulgur 342 12 2.8 g
butter 717 1 9.8 ad|cabbage 25 1 1.6|carrots 41 1 1.4|cashews 553 18 15.2 n|cauliflower 25 2 2.9
celery 16 1 2.6|cheddar 403 25 11.3 ad|chicken 239 27 9.4 ma|chickpeas 164 9 2.7|chilli 40 2 12
chocolate 546 5 10.9|coconut milk 230 2 4.6|cod 82 18 17.8 ma|coriander 23 2 16|courgette 17 1 2.5
couscous 376 13 3.1 g|cream 340 2 5.2 ad|cucumber 15 1 2.2|cumin 375 18 24|eggs 155 13 5.6 a
fennel 31 1 3.6|feta 264 14 10.7 ad|flour 364 10 1.1 g|garlic 149 6 8.3|ginger 80 2 9.1
goat cheese 364 22 15.4 ad|green beans 31 2 4.4|honey 304 1 9.9 a|kidney beans 127 9 2.8
lamb 294 25 19.5 ma
leeks 61 1 3.1|lemons 29 1 2.9|lentils 116 9 3.5|lime juice 25 1 6.4|milk 61 3 1.3 ad
miso 199 12 13.1|mozzarella 280 28 8.6 ad|mushrooms 22 3 6.7|noodles 348 12 3.7 g|oats 389 17 1.9
olive oil 884 1 9.2|onions 40 1 1.2|parmesan 431 38 18.9 ad|pasta 371 13 2.1 g|peanuts 567 26 6.2 n
peas 81 5 3.2|potatoes 77 2 1.3|prawns 99 24 21.5 ma|pumpkin 26 1 2.4|quinoa 368 14 7.4
rice 360 7 2.3|salmon 208 20 22.4 ma|soy sauce 53 8 7.7 g|spinach 23 3 5.8|sugar 387 1 1.2
sweet potatoes 86 2 2.7|tofu 76 8 6.9|tomatoes 18 1 3.1|tuna 132 28 16.3 ma|walnuts 654 15 16.8 n
yogurt 59 10 2.6 ad
"""

_CUISINES = {
    "French": ("butter", "leeks", "cream", "garlic"),
    "Greek": ("feta", "olive oil", "lemons", "cucumber"),
    "Indian": ("cumin", "ginger", "coconut milk", "coriander"),
    "Italian": ("basil", "olive oil", "parmesan", "tomatoes"),
    "Japanese": ("miso", "soy sauce", "ginger", "mushrooms"),
    "Mexican": ("chilli", "lime juice", "avocado", "cheddar"),
    "Moroccan": ("almonds", "cumin", "honey", "lemons"),
    "Thai": ("coconut milk", "lime juice", "peanuts", "chilli"),
}
# Course: its filling base, minutes at least, the main things it is made of.
_COURSES = {
    "soup": ("onions", 20, "lentils|pumpkin|carrots|potatoes|peas|tofu|chicken|cod|cauliflower"),
    "salad": ("quinoa", 10, "chickpeas|tuna|avocado|spinach|feta|cucumber|fennel|prawns|broccoli"),
    "stew": (
        "potatoes",
        45,
        "beef|lamb|kidney beans|aubergine|chickpeas|sweet potatoes|cod|lentils",
    ),
    "bake": (
        "cream",
        40,
        "aubergine|potatoes|salmon|courgette|cauliflower|chicken|goat cheese|leeks",
    ),
    "pan dish": ("rice", 15, "tofu|prawns|beef|green beans|mushrooms|eggs|cabbage|bell pepper"),
    "pasta": ("pasta", 15, "tomatoes|salmon|mushrooms|spinach|walnuts|tuna|courgette|black beans"),
}
_STAND_INS = """
almonds:walnuts 1,oats 1.2|beef:mushrooms 1.2,lentils 0.8|butter:olive oil 0.75,avocado 1
cheddar:mozzarella 1,tofu 1.1|chicken:tofu 1,chickpeas 1.1|cod:tofu 1,cauliflower 1.3
couscous:quinoa 1,rice 1.1|cream:coconut milk 0.9,yogurt 1|eggs:tofu 1.2,oats 0.6
feta:goat cheese 0.9,tofu 1|flour:oats 1.2,almonds 0.9|goat cheese:feta 1,cashews 0.8
honey:sugar 0.8|lamb:beef 1,aubergine 1.5|milk:coconut milk 0.5,yogurt 0.9
noodles:rice 0.9,courgette 2
parmesan:cheddar 1.2,cashews 0.7|pasta:noodles 1,courgette 2|peanuts:cashews 1,chickpeas 1.4
potatoes:sweet potatoes 1,cauliflower 1.3|prawns:tuna 0.9,tofu 1.1|rice:bulgur 0.9,quinoa 0.9
salmon:cod 1.1,tofu 1.1|soy sauce:miso 0.5|tuna:chickpeas 1.2|walnuts:almonds 1,oats 1.1
yogurt:coconut milk 0.8|mozzarella:feta 0.8,tofu 1|bread:potatoes 1.5|bulgur:quinoa 1
"""
_DIETS = {
    "vegetarian": "m",
    "vegan": "ma",
    "dairy-free": "d",
    "gluten-free": "g",
    "nut-free": "n",
}


def _ingredients() -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for entry in _INGREDIENTS.strip().replace("\n", "|").split("|"):
        words = entry.split()
        tags = "" if words[-1].replace(".", "").isdigit() else words.pop()
        name = " ".join(words[:-3])
        kcal, protein, price = (float(word) for word in words[-3:])
        rows[name] = {
            "ingredient": name, "kcal": kcal, "protein": protein, "price": price, "tags": tags,
        }  # fmt: skip
    return dict(sorted(rows.items()))


def _stand_ins() -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for entry in _STAND_INS.strip().replace("\n", "|").split("|"):
        name, others = entry.split(":")
        pairs = [other.rsplit(" ", 1) for other in others.split(",")]
        rows[name] = {"stand_ins": [(other, float(ratio)) for other, ratio in pairs]}
    return dict(sorted(rows.items()))


def _recipe(cuisine: str, course: str, main: str, minutes: int, grams: Sequence[int]) -> Row:
    base = _COURSES[course][0]
    parts = dict.fromkeys((main, base, *_CUISINES[cuisine]), 0)
    amounts = sorted(grams[: len(parts)], reverse=True)
    name = f"{cuisine} {main} {course}"
    return {
        "recipe_id": content_id("rc", name),
        "name": name,
        "cuisine": cuisine,
        "course": course,
        "minutes": minutes,
        "servings": 4,
        "parts": list(zip(parts, amounts, strict=True)),
    }


def _tables(seed: int) -> Tables:
    rng = generator(seed, "kitchen")
    ingredients = _ingredients()
    recipes: dict[str, Row] = {}
    menus: dict[str, Row] = {}
    for cuisine in _CUISINES:
        for course, (_, least, mains) in _COURSES.items():
            for main in rng.sample(mains.split("|"), 5):
                grams = [*rng.sample(range(260, 800, 20), 2), *rng.sample(range(20, 240, 4), 4)]
                minutes = least + rng.randrange(0, 40)
                recipe = _recipe(cuisine, course, main, minutes, grams)
                tags = "".join(ingredients[part]["tags"] for part, _ in recipe["parts"])
                recipes[recipe["recipe_id"]] = {**recipe, "tags": tags}
            menus[f"{cuisine}/{course}"] = {"recipe_ids": list(recipes)[-5:]}
    pantry = {
        name: {"ingredient": name, "grams": rng.randrange(60, 1500, 20)}
        for name in rng.sample(list(ingredients), 50)
    }
    return {
        "recipes": dict(sorted(recipes.items())),
        "menus": dict(sorted(menus.items())),
        "ingredients": ingredients,
        "stand_ins": _stand_ins(),
        "pantry": dict(sorted(pantry.items())),
        "shopping_lists": {},
    }


WORLD = World("kitchen", "Recipes, the pantry, nutrition, stand-ins, shopping lists.", _tables)

_INGREDIENT = draw_from("ingredients", "ingredient")
_AMOUNT = record(
    "An ingredient and how much of it.",
    "ingredient_amount",
    {
        "grams": number("Amount in grams.", "weight_g", minimum=0),
        "ingredient": text("Name of the ingredient.", "ingredient"),
    },
    says={"": "{grams} of {ingredient}"},
)


def _replaceable(view: View, rng: random.Random) -> str:
    return rng.choice([name for name, _ in view.rows("stand_ins")])


def _recipe_of(view: View, recipe_id: str) -> Row:
    recipe = view.get("recipes", recipe_id)
    if recipe is None:
        raise ToolError(f"no recipe has the id '{recipe_id}'")
    return recipe


def _menu(view: View, cuisine: str, course: str) -> list[Row]:
    menu = view.get("menus", f"{cuisine}/{course}")
    return [_recipe_of(view, recipe_id) for recipe_id in menu["recipe_ids"]] if menu else []


def _ingredient_of(view: View, name: str) -> Row:
    row = view.get("ingredients", name)
    if row is None:
        raise ToolError(f"'{name}' is not an ingredient this kitchen knows")
    return row


def _price(view: View, items: Sequence[Row]) -> float:
    """EUR for these amounts."""
    total = math.fsum(
        _ingredient_of(view, i["ingredient"])["price"] * i["grams"] / 1000 for i in items
    )
    return round(float(total), 2)


@WORLD.tool(
    "Search recipes of a cuisine and course, quickest first; by diet, time and unwanted "
    "ingredients if asked.",
    parameters={
        "cuisine": choice("Cuisine.", "cuisine", tuple(_CUISINES)),
        "course": choice("Kind of dish.", "course_kind", tuple(_COURSES)),
        "diet": choice("A diet it must suit.", "diet", tuple(_DIETS), optional=True),
        "max_minutes": integer(
            "Longest time in minutes.", "duration_min", minimum=5, optional=True,
        ),
        "without": array(
            "Ingredients it must not contain.",
            text("Name of an ingredient.", "ingredient", pool=_INGREDIENT), minItems=1, maxItems=4,
            optional=True,
        ),
    },
    outputs=(
        Output("recipes[0].recipe_id", "recipe_id", (
            ("the quickest {cuisine} {course}[ that is {diet}][ and takes {max_minutes} at "
             "most][, made without {without}]"),
            ("whichever[ {diet}] {cuisine} {course} is on the table soonest[ (within "
             "{max_minutes})][, leaving out anything with {without}]"),
        )),
        Output("recipe_ids", "list:recipe_id", (
            ("the four quickest[ {diet}] {cuisine} {course} recipes[ that take {max_minutes} at "
             "most][, made without {without}]"),
            ("the four[ {diet}] {cuisine} {course} recipes that are on the table soonest[ (within "
             "{max_minutes})][, leaving out anything with {without}]"),
        )),
        Output("recipes[0].minutes", "duration_min", (
            ("the cooking time of the quickest[ {diet}] {cuisine} {course}[ that takes no more "
             "than {max_minutes}][, made without {without}]"),
            ("how long it takes to cook the fastest[ {diet}] {cuisine} {course}[ (limit: "
             "{max_minutes})][ that has no {without}]"),
        )),
        Output("count", "count", (
            ("the number of[ {diet}] {cuisine} {course} recipes[ that take {max_minutes} at "
             "most][, made without {without}]"),
            ("how many[ {diet}] {cuisine} {course} recipes there are[ under {max_minutes}][ that "
             "avoid {without}]"),
        )),
    ),
    wishes=(
        ("Which[ {diet}] {cuisine} {course} recipes are there[, {max_minutes} at most][, nothing "
         "with {without}]?"),
        ("{cuisine} {course} ideas please, fastest first[; it has to be {diet}][; no longer than "
         "{max_minutes}][; leave out {without}]."),
        ("I feel like something to eat tonight, a {course} from the {cuisine} kitchen: what "
         "could I make[ that is {diet}][ and done in {max_minutes}][, bearing in mind I can't "
         "have {without}]?"),
    ),
    reads=("menus", "recipes"),
)  # fmt: skip
def find_recipes(
    view: View,
    cuisine: str,
    course: str,
    diet: str | None = None,
    max_minutes: int | None = None,
    without: Sequence[str] = (),
) -> dict[str, Any]:
    """Recipes that fit, by minutes."""
    barred = set(_DIETS[diet]) if diet else set()
    unwanted = set(without)
    found = [
        {key: recipe[key] for key in ("recipe_id", "name", "minutes")}
        for recipe in _menu(view, cuisine, course)
        if (max_minutes is None or recipe["minutes"] <= max_minutes)
        and barred.isdisjoint(recipe["tags"])
        and unwanted.isdisjoint(part for part, _ in recipe["parts"])
    ]
    found.sort(key=lambda recipe: (recipe["minutes"], recipe["recipe_id"]))
    first = [recipe["recipe_id"] for recipe in found[:4]]
    return {"recipes": found, "recipe_ids": first, "count": len(found)}


@WORLD.tool(
    "Rank recipes against each other by price, calories or protein of one serving.",
    parameters={
        "recipe_ids": array(
            "Ids of the recipes.",
            text("Id of a recipe.", "recipe_id", pool=draw_from("recipes", "recipe_id")),
            minItems=2, maxItems=8,
        ),
        "by": choice(
            "What comes first.", "recipe_order", ("price", "calories", "protein"),
            says={
                '"price"': "costs least", '"calories"': "has the fewest calories",
                '"protein"': "has the most protein",
            },
        ),
    },
    outputs=(
        Output("best", "recipe_id", (
            "whichever {by} per serving out of {recipe_ids}",
            "the one among {recipe_ids} that {by} per plate",
        )),
    ),
    wishes=(
        "Out of {recipe_ids}, which one {by} per serving?",
        "Per serving: which {by}? The choice is between {recipe_ids}.",
        "I can't decide between {recipe_ids}; tell me which of them {by} per serving.",
    ),
    reads=("recipes", "ingredients"),
)  # fmt: skip
def rank_recipes(view: View, recipe_ids: Sequence[str], by: str) -> dict[str, Any]:
    """The recipes in order; ties by id."""
    column = {"price": "price", "calories": "kcal", "protein": "protein"}[by]
    scale = 1000 if by == "price" else 100
    ranking = []
    for recipe_id in dict.fromkeys(recipe_ids):
        recipe = _recipe_of(view, recipe_id)
        total = math.fsum(
            _ingredient_of(view, part)[column] * grams / scale for part, grams in recipe["parts"]
        )
        value = round(total / recipe["servings"], 2)
        ranking.append({"recipe_id": recipe_id, "name": recipe["name"], by: value})
    sign = -1 if by == "protein" else 1
    ranking.sort(key=lambda row: (sign * row[by], row["recipe_id"]))
    return {"ranking": ranking, "best": ranking[0]["recipe_id"]}


@WORLD.tool(
    "Work out the ingredients of a recipe, in grams, for a number of servings; largest first.",
    parameters={
        "recipe_id": text("Id of the recipe.", "recipe_id", pool=draw_from("recipes", "recipe_id")),
        "servings": integer("For how many.", "count", minimum=1, maximum=60),
    },
    outputs=(
        Output("ingredients", "list:ingredient_amount", (
            "everything that goes into {recipe_id}, in amounts to serve {servings}",
            "the full list of ingredients for {recipe_id} when it has to serve {servings}",
        )),
        Output("ingredients[0].ingredient", "ingredient", (
            "the ingredient that weighs most in {recipe_id} made to serve {servings}",
            "the main ingredient by weight of {recipe_id}, cooked to serve {servings}",
        )),
        Output("ingredients[0].grams", "weight_g", (
            "the weight of the heaviest ingredient in {recipe_id} made to serve {servings}",
            ("the weight of the main ingredient that goes into {recipe_id}, cooked to serve "
             "{servings}"),
        )),
    ),
    wishes=(
        "How much of everything do I need for {recipe_id} if it is to serve {servings}?",
        "{recipe_id}, amounts to serve {servings}.",
        "Could you work out the quantities for {recipe_id}? It should serve {servings}.",
    ),
    reads=("recipes",),
)  # fmt: skip
def scale_recipe(view: View, recipe_id: str, servings: int) -> dict[str, Any]:
    """Every part of the recipe for that many servings, largest first."""
    recipe = _recipe_of(view, recipe_id)
    factor = servings / recipe["servings"]
    scaled = [
        {"ingredient": part, "grams": round(grams * factor, 1)} for part, grams in recipe["parts"]
    ]
    scaled.sort(key=lambda row: (-row["grams"], row["ingredient"]))
    return {"name": recipe["name"], "servings": servings, "ingredients": scaled}


@WORLD.tool(
    "Compare amounts of ingredients with the pantry and say what is short. Reads the pantry.",
    parameters={"needed": array("What is needed.", _AMOUNT, minItems=1)},
    outputs=(
        Output("missing", "list:ingredient_amount", (
            "whatever the pantry is short of when it comes to {needed}",
            "the part that isn't in the pantry of {needed}",
        )),
        Output("missing_count", "count", (
            "the number of things the pantry is short of for {needed}",
            "how many items are lacking in the pantry, given {needed}",
        )),
    ),
    wishes=(
        "What am I short of in the pantry for {needed}?",
        "Check the pantry against {needed} and list what's missing.",
        "Do I have it all at home? Hold the pantry against {needed}, please.",
    ),
    reads=("pantry",),
)  # fmt: skip
def missing_from_pantry(view: View, needed: Sequence[Row]) -> dict[str, Any]:
    """What is needed beyond what the pantry holds, in the given order."""
    missing = []
    for item in needed:
        held = view.get("pantry", item["ingredient"])
        lack = round(item["grams"] - (held["grams"] if held else 0), 1)
        if lack > 0:
            missing.append({"ingredient": item["ingredient"], "grams": lack})
    return {"missing": missing, "missing_count": len(missing)}


@WORLD.tool(
    "Compute the calories and protein of one portion of these ingredients.",
    parameters={
        "ingredients": array("What goes in.", _AMOUNT, minItems=1),
        "portions": integer(
            "Into how many portions it is divided.", "count", minimum=1, maximum=60,
        ),
    },
    outputs=(
        Output("kcal", "energy_kcal", (
            "the calories of one share of {ingredients} when the shares number {portions}",
            ("the energy per portion, with the number of portions being {portions}, of "
             "{ingredients}"),
        )),
        Output("protein_g", "weight_g", (
            "the protein in one share of {ingredients} when the shares number {portions}",
            ("the protein per portion, with the number of portions being {portions}, of "
             "{ingredients}"),
        )),
    ),
    wishes=(
        "How nourishing is one portion of {ingredients}? Number of portions: {portions}.",
        "Calories and protein per portion, please, for {ingredients}; portions: {portions}.",
        ("Take {ingredients}; I'd like the nutrition of a single portion, the number of portions "
         "being {portions}."),
    ),
    reads=("ingredients",),
)  # fmt: skip
def nutrition_per_portion(view: View, ingredients: Sequence[Row], portions: int) -> dict[str, Any]:
    """Calories and grams of protein of one portion."""
    kcal = protein = 0.0
    for item in ingredients:
        row = _ingredient_of(view, item["ingredient"])
        kcal += row["kcal"] * item["grams"] / 100
        protein += row["protein"] * item["grams"] / 100
    return {"kcal": round(kcal / portions, 1), "protein_g": round(protein / portions, 1)}


@WORLD.tool(
    "Find what can stand in for an amount of an ingredient, best first, under a diet if asked.",
    parameters={
        "ingredient": text("What is to be replaced.", "ingredient", pool=_replaceable),
        "grams": number("How much of it, in grams.", "weight_g", exclusiveMinimum=0),
        "diet": choice("A diet the stand-in must suit.", "diet", tuple(_DIETS), optional=True),
    },
    outputs=(
        Output("stand_ins[0].ingredient", "ingredient", (
            "the best[ {diet}] replacement for {ingredient} (amount to replace: {grams})",
            "whatever[ {diet}] ingredient stands in best for {ingredient} (amount: {grams})",
        )),
        Output("stand_ins[0].grams", "weight_g", (
            "the amount to use of the best[ {diet}] replacement for {ingredient} (needed: {grams})",
            ("the weight I need of whatever[ {diet}] ingredient best replaces {ingredient} "
             "({grams} of it)"),
        )),
    ),
    wishes=(
        "What can I use[ that is {diet}] instead of {ingredient}? The recipe wants {grams}.",
        "A[ {diet}] replacement for {ingredient}, please, in this amount: {grams}.",
        ("I've run out of {ingredient} and would have needed {grams}: what could I take in its "
         "place[ that is {diet}]?"),
    ),
    reads=("stand_ins", "ingredients"),
)  # fmt: skip
def substitute_ingredient(
    view: View, ingredient: str, grams: float, diet: str | None = None
) -> dict[str, Any]:
    """Stand-ins that suit the diet, in the order of how well they work."""
    _ingredient_of(view, ingredient)
    row = view.get("stand_ins", ingredient)
    barred = set(_DIETS[diet]) if diet else set()
    found = [
        {"ingredient": other, "grams": round(grams * ratio, 1)}
        for other, ratio in (row["stand_ins"] if row else ())
        if barred.isdisjoint(_ingredient_of(view, other)["tags"])
    ]
    return {"stand_ins": found, "count": len(found)}


@WORLD.tool(
    "Write a shopping list for somebody and price it. Adds to the shopping lists.",
    parameters={
        "shopper": text("Who goes shopping.", "person"),
        "day": date("Day of the shopping, YYYY-MM-DD."),
        "items": array("What to buy.", _AMOUNT, minItems=1),
    },
    outputs=(
        Output("list_id", "shopping_list_id", (
            "the shopping list of {day} on which {shopper} finds {items}",
            "the list for the shopping that {shopper} does on {day}, with {items} on it",
        )),
        Output("total_price", "price", (
            "the estimated total of the shopping list of {day} on which {shopper} finds {items}",
            "the sum that the list for {shopper} on {day} comes to, with {items} on it",
        )),
    ),
    wishes=(
        "Write {shopper} a shopping list for {day} with {items}.",
        "Please make out a list for the shopping on {day}. {shopper} goes, and it needs {items}.",
        "{shopper} does the shopping on {day}, so put {items} on a list for that.",
    ),
    reads=("ingredients", "shopping_lists"),
    writes=("shopping_lists",),
    undo=Undo("discard_shopping_list", {"list_id": "result.list_id"}),
)  # fmt: skip
def write_shopping_list(view: View, shopper: str, day: str, items: Sequence[Row]) -> dict[str, Any]:
    """A priced list; the same list twice is refused."""
    if day < TODAY.isoformat():
        raise ToolError(f"a shopping list can't be for {day}, which is past")
    list_id = content_id("sl", shopper, day, list(items))
    if view.get("shopping_lists", list_id):
        raise ToolError(f"{shopper} already has this shopping list for {day}: {list_id}")
    total = _price(view, items)
    row = {"shopper": shopper, "day": day, "items": list(items), "total_price": total}
    view.put("shopping_lists", list_id, row)
    return {"list_id": list_id, "total_price": total}


@WORLD.tool(
    "Throw a shopping list away. Removes it from the shopping lists.",
    parameters={"list_id": text("Id of the shopping list.", "shopping_list_id")},
    wishes=(
        "Throw away {list_id}.",
        "{list_id} is no longer needed; bin it.",
        "Would you get rid of {list_id} for me?",
    ),
    reads=("shopping_lists",),
    writes=("shopping_lists",),
)  # fmt: skip
def discard_shopping_list(view: View, list_id: str) -> dict[str, Any]:
    """Remove the list without a trace."""
    row = view.get("shopping_lists", list_id)
    if row is None:
        raise ToolError(f"there is no shopping list '{list_id}' to throw away")
    view.remove("shopping_lists", list_id)
    return {"discarded": list_id, "shopper": row["shopper"]}


@WORLD.tool(
    "Use up an amount of an ingredient. Takes it out of the pantry for good.",
    parameters={
        "ingredient": text(
            "Name of the ingredient.", "ingredient", pool=draw_from("pantry", "ingredient"),
        ),
        "grams": number("Amount in grams.", "weight_g", exclusiveMinimum=0),
    },
    outputs=(
        Output("left_grams", "weight_g", (
            "the amount of {ingredient} left in the pantry once this much is used up: {grams}",
            "what remains of {ingredient} in the pantry after taking out {grams}",
        )),
    ),
    wishes=(
        "Take {ingredient} out of the pantry, {grams} of it.",
        "I'm using up {ingredient}, namely {grams}; deduct that from the pantry.",
        "Please note that {ingredient} is gone from the pantry (amount: {grams}).",
    ),
    reads=("pantry",),
    writes=("pantry",),
)  # fmt: skip
def take_from_pantry(view: View, ingredient: str, grams: float) -> dict[str, Any]:
    """Deduct from the pantry; the last gram takes the row with it."""
    held = view.get("pantry", ingredient)
    if held is None:
        raise ToolError(f"there is no {ingredient} in the pantry")
    left = round(held["grams"] - grams, 1)
    if left < 0:
        raise ToolError(f"the pantry holds {held['grams']} g of {ingredient}, not {grams} g")
    if left:
        view.put("pantry", ingredient, {**held, "grams": left})
    else:
        view.remove("pantry", ingredient)
    return {"ingredient": ingredient, "left_grams": left}
