"""Everything the terminal says about the hole of the day, in English and in French."""

from dormie_protocol.messages import Language

# What the program calls it -> what a person reads, in English and in French.
TEXTS: dict[str, tuple[str, str]] = {
    "open": (
        "The hole of {date}: {begun}. It ends at midnight, UTC.",
        "Le trou du {date} : {begun}. Il finit à minuit, UTC.",
    ),
    "closing": (
        "The hole of {date} is over; its last tries are being counted.",
        "Le trou du {date} est fini ; on compte les derniers essais.",
    ),
    "closed": (
        "The hole of {date} is over: {begun}.",
        "Le trou du {date} est fini : {begun}.",
    ),
    "begun_by_0": ("nobody has begun", "personne n’a commencé"),
    "begun_by_1": ("one has begun", "une personne a commencé"),
    "begun": ("{tries} have begun", "{tries} ont commencé"),
    "promise": ("Its deal is promised by {promise}", "Sa donne est promise par {promise}"),
    "one_try": (
        "You have one try, until midnight; it counts however far you come.",
        "Vous avez un essai, jusqu’à minuit ; il compte où qu’il en soit.",
    ),
    "own": ("Your try: {score}.", "Votre essai : {score}."),
    "own_place": ("Your try: {score}, place {place}.", "Votre essai : {score}, rang {place}."),
    "no_results": ("Nobody has a result.", "Personne n’a de résultat."),
    "line": ("{place}. {name} {score}{badge}", "{place}. {name} {score}{badge}"),
    "badge": (", cleared", ", tout joué"),
    "you": ("You", "Vous"),
    "more": ("and {count} more", "et encore {count}"),
    "kept_promise": (
        "The promise is the one this device was told on the day.",
        "La promesse est celle que cet appareil a reçue le jour même.",
    ),
    "no_promise": (
        "This device kept no promise of that day: it is taken from the house.",
        "Cet appareil n’a gardé aucune promesse de ce jour : elle vient de la maison.",
    ),
    "right": (
        "{date}: the promise, the deal, every try ({tries}) and every move ({moves}) are right.",
        "{date} : la promesse, la donne, chaque essai ({tries}) et chaque coup ({moves}) sont exacts.",
    ),
    "wrong_promise": (
        "{date}: this is not what was promised.",
        "{date} : ce n’est pas ce qui fut promis.",
    ),
    "wrong_line": (
        "{date}: line {line} of the record is wrong: {because}",
        "{date} : la ligne {line} du procès-verbal est fausse : {because}",
    ),
    "wrong_results": (
        "{date}: the results are not those of the record.",
        "{date} : les résultats ne sont pas ceux du procès-verbal.",
    ),
    "not_over": (
        "{date} is not over yet: nothing can be checked.",
        "Le {date} n’est pas fini : rien à vérifier encore.",
    ),
    "no_record": (
        "The record of {date} cannot be fetched.",
        "Le procès-verbal du {date} est hors d’atteinte.",
    ),
}


def day_text(key: str, language: Language, **fields: object) -> str:
    """What a person reads for *key*.

    >>> day_text("own_place", "fr", score=-2, place=1)
    'Votre essai : -2, rang 1.'
    """
    english, french = TEXTS[key]
    return (french if language == "fr" else english).format(**fields)
