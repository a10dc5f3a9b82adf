"""Everything that people can ask of a house, typed in a terminal, in English and in French.

Real sockets, real pipes. Each test is a piece of an evening; the words are in two columns.
"""

import re

import pytest

from dormie_protocol.messages import Language
from tests.terminals import Sit, Terminal

EN, FR = "en", "fr"


@pytest.fixture(params=[EN, FR])
def language(request: pytest.FixtureRequest) -> Language:
    chosen: Language = request.param
    return chosen


class Words:
    """Picks the words of one language."""

    def __init__(self, language: Language) -> None:
        self._french = language == FR

    def __call__(self, english: str, french: str) -> str:
        return french if self._french else english


async def host(sit: Sit, language: Language, *argv: str) -> tuple[Terminal, str]:
    """Ada at a new table of two, and its code."""
    ada = await sit("ada", "--lang", language, "--name", "Ada", "--size", "2", *argv)
    line = await ada.sees("dormie play http")
    return ada, line.split()[-1]


async def test_scenario_I3_a_host_has_a_word_for_every_right(sit: Sit, language: Language) -> None:
    two = Words(language)
    ada, code = await host(sit, language, "--size", "3")
    ben = await sit("ben", "--lang", language, code, "--name", "Ben")
    await ada.sees("Ben")
    await ada.says(two("lock", "verrouille"), two("The table is locked", "La table est verr"))
    await ada.says(two("unlock", "déverrouille"), two("open again", "de nouveau ouverte"))
    await ada.says(two("password", "motdepasse"), two("4 to 64 signs", "4 à 64 signes"))
    link = await ada.says(two("password birdie", "motdepasse birdie"), "#table=", "&key=birdie")
    await ada.says(two("invite", "lien"), "&key=birdie")
    eve = await sit(
        "eve", "--lang", language, "--name", "Eve", where=re.findall(r"http\S+birdie", link)[0]
    )
    await eve.sees(two("You sit at table", "Vous êtes à la table"))
    await ada.says(two("kick eve", "exclus eve"), "Eve")
    await ada.says(two("nopassword", "sansmotdepasse"), two("password", "mot de passe"))
    await ada.says(two("kick nobody", "exclus personne"), two("Say who", "Dites qui"))
    await ada.says(two("hand over ben", "confie ben"), "Ben")
    await ada.says(two("lock", "verrouille"), two("Only the host", "Seul l’hôte"))
    await ben.says(two("host Ada", "confie Ada"), "Ada")
    await ada.says(two("ban 2", "bannis 2"), "Ben")
    await ben.sees(two("The host has sent you away", "L’hôte vous a renvoyé"))
    await ben.ended()


@pytest.mark.parametrize("variant", ["six_card", "golf_patience_queen"])
async def test_who_is_sent_away_is_told_so_and_that_they_watch(
    sit: Sit, language: Language, variant: str
) -> None:
    two = Words(language)
    ada, code = await host(sit, language, "--size", "3", "--variant", variant)
    ben = await sit("ben", "--lang", language, code, "--name", "Ben")
    await ada.sees("Ben")
    await ada.says(two("kick ben", "exclus ben"), two("has sent Ben away", "a renvoyé Ben"))
    await ben.sees(two("The host has sent you away.", "L’hôte vous a renvoyé."))
    await ben.sees(two(f"You watch table {code}", f"Vous regardez la table {code}"))

    assert two("sent Ben away", "renvoyé Ben") not in ben.shown


async def test_scenario_I3_one_finds_tables_by_words_and_goes_from_one_to_the_next(
    sit: Sit, language: Language
) -> None:
    two = Words(language)
    ada, code = await host(sit, language, "--listed", "-o", "holes=1")
    ben = await sit("ben", "--lang", language, "--name", "Ben", "--lobby")
    await ben.sees(two("People here: 2", "Présents : 2"))
    await ben.sees(f"{code}{two(':', ' :')} six_card, holes 1")
    await ben.sees(two("In the house", "Dans la maison"))
    await ben.says(two("lobby free", "salon libres"), code, two("In the house", "Dans la maison"))
    await ben.says(two("mine", "miennes"), two("a seat nowhere", "nulle part"))
    await ben.says(two("history", "historique"), two("no match here", "aucune partie"))
    await ben.says(two("kick 2", "exclus 2"), two("at no table", "à aucune table"))
    await ben.says("?", "lobby, lobby six_card" if language == EN else "salon, salon six_card")
    await ben.says(two("quick six_card 2", "vite six_card 2"), code)
    await ada.sees(two("Ben takes seat 2", "Ben"))
    await ben.says(
        two("new tiger=1", "nouvelle tiger=1"), two("no option tiger", "pas d’option tiger")
    )
    await ben.says(
        two("new size=9", "nouvelle size=9"), two("size cannot be 9", "size ne peut pas")
    )
    await ben.says(two("new when_out=7", "nouvelle when_out=7"), "when_out")
    opened = await ben.says(
        two("new six_card size=2 holes=1 when_out=bot private", "nouvelle holes=1 private size=2"),
        "#table=",
        two("You sit at", "Vous êtes à la table"),
    )
    assert code not in opened
    await ben.says(two("mine", "miennes"), "1. ", "2. ")
    await ben.says(two("watch", "observe"), two("Say which table", "Dites quelle table"))
    await ben.says(
        two(f"join {code}", f"rejoins {code}"),
        two(f"You sit at table {code}, seat 2", f"Vous êtes à la table {code}, place 2"),
    )
    cleo = await sit("cleo", "--lang", language, "--watch", code, "--name", "Cleo")
    await cleo.says(two("lobby", "salon"), two("watching: 1", "spectateurs : 1"))
    await cleo.says(two("who", "qui"), "1. Ada", "2. Ben")
    await ben.says(two("options", "options"), "size (4)", "when_out (default)", "holes (9)")
    await cleo.says(two("quit", "quitte"))
    await cleo.ended()


async def test_scenario_I3_people_talk_in_a_terminal_and_need_not_listen(
    sit: Sit, language: Language
) -> None:
    two = Words(language)
    ada, code = await host(sit, language)
    ben = await sit("ben", "--lang", language, code, "--name", "Ben")
    await ada.sees("Ben")
    await ada.says(
        two("say hello, 2 of you", "dis bonjour à 2"), two("You say: hello", "Vous dites : bonj")
    )
    await ben.sees(two("Ada says: hello, 2 of you", "Ada dit : bonjour à 2"))
    await ben.says(two("emote", "mots"), two("3. Well played!", "3. Bien joué !"))
    await ben.says(
        two("emote 3", "mot 3"), two("You say: Well played!", "Vous dites : Bien joué !")
    )
    await ada.sees(two("Ben says: Well played!", "Ben dit : Bien joué !"))
    await ben.says(two("emote good luck", "mot bonne chance"), two("Good luck", "Bonne chance"))
    await ada.says(
        two("mute Ben", "sourdine Ben"), two("You hear Ben no more", "n’entendez plus Ben")
    )
    await ben.says(two("say psst", "dis psst"), "psst")
    await ada.says(two("unmute 2", "entends 2"), two("You hear Ben again", "Ben à nouveau"))
    await ada.says(
        two("report Ben spam too much", "signale Ben spam trop"),
        two("Those who run this house", "Qui tient cette maison"),
    )
    await ada.says(two("report Ben", "signale Ben"), two("Reasons: abuse", "Raisons : insultes"))
    await ada.says(two("block Ben", "bloque Ben"), two("Ben is blocked", "Ben est bloqué"))
    await ada.says(two("blocks", "bloqués"), "1. Ben")
    await ada.says(two("unblock 1", "débloque 1"), two("blocked no longer", "n’est plus bloqué"))
    await ada.says(two("blocks", "bloqués"), two("You block nobody", "Vous ne bloquez personne"))

    assert "psst" not in ada.shown


async def test_scenario_A12_a_terminal_moves_to_another_device_and_is_forgotten(
    sit: Sit, language: Language
) -> None:
    two = Words(language)
    ada, code = await host(sit, language)
    line = await ada.says(two("claim", "réclame"), "--claim")
    phone = await sit("phone", "--lang", language, "--claim", line.split()[-1].rstrip("."))
    await phone.sees(two("Here you are Ada", "Ici vous êtes désormais Ada"))
    await phone.sees(two(f"You sit at table {code}", f"Vous êtes à la table {code}"))
    await ada.sees(two("Played elsewhere", "Jouée ailleurs"))
    await ada.says(two("back", "reprends"))
    await phone.sees(two("Played elsewhere", "Jouée ailleurs"))
    await phone.says(two("devices", "appareils"), "1. ", "2. ")
    other = re.findall(r"^(\d)\. (?!.*(?:this one|celui-ci))\w+", phone.shown, re.MULTILINE)[-1]
    await phone.says(
        two(f"forget {other}", f"oublie {other}"), two("you no longer", "n’est plus vous")
    )
    await phone.says(two("erase", "efface"), two("erase Ada", "efface Ada"))
    await phone.says(two("erase Ada", "efface Ada"), two("You are forgotten", "Vous êtes oublié"))
    await phone.ended()


async def test_scenario_I3_time_has_words(sit: Sit, language: Language) -> None:
    two = Words(language)
    ada, code = await host(sit, language, "-o", "holes=1", "-o", "game_seconds=300")
    ben = await sit("ben", "--lang", language, code, "--name", "Ben")
    for one in (ada, ben):
        await one.sees(two("Everybody is here", "Tout le monde est là"))
        one.type("")
    flip = two("flip 1", "retourne 1")
    await ada.sees(flip)
    await ada.says(
        two("clock", "temps"),
        two("Time to think: ", "Temps de réflexion : "),
        two("Ben: 5 min in the bank, 2 min", "Ben : 5 min en réserve, 2 min"),
        two("Pauses left: 3, 15 min", "Pauses restantes : 3, 15 min"),
        two("When time is over: the usual", "Le temps écoulé : le coup habituel"),
    )
    await ada.says(
        two("pause soon", "pause bientôt"), two("how many minutes", "combien de minutes")
    )
    ada.type("pause 5")
    await ben.sees(
        two("Ada asks for a pause of 5 min: agree", "Ada demande une pause de 5 min : acc")
    )
    ben.type(two("refuse", "refuse"))
    await ada.sees(two("Ben does not agree", "Ben n’est pas d’accord"))
    ada.type("pause")
    await ben.sees(two("Ada asks for a pause of 15 min", "Ada demande une pause de 15 min"))
    ben.type(two("agree", "accepte"))
    await ada.sees(two("The table has a pause: resume", "La table fait une pause : continue"))
    await ada.says(two("clock", "temps"), two("The pause ends in", "La pause finit dans"))
    await ada.says(two("resume", "continue"), flip)
    await ben.says(
        two("vote later", "vote plus tard"), two("vote wait, vote bot", "vote attends, vote")
    )
    await ben.says(two("vote bot", "vote robot"), two("nothing for you to vote", "pas de vote"))


async def test_the_options_of_a_table_are_chosen_with_the_command(
    sit: Sit, language: Language
) -> None:
    two = Words(language)
    ada, code = await host(
        sit, language, "--chat", "emotes", "-o", "listed=true", "-o", "bots=easy", "-o", "size=3"
    )
    await ada.says(two("who", "qui"), "2. ", two("bot (easy)", "robot (easy)"))
    await ada.says(two("say hello", "dis bonjour"), two("quick words", "mots rapides"))
    ben = await sit("ben", "--lang", language, "--lobby")
    await ben.sees(code)


async def test_a_table_with_a_password_says_how_it_is_said(sit: Sit, language: Language) -> None:
    two = Words(language)
    ada = await sit(
        "ada", "--lang", language, "--name", "Ada", "--size", "2", "--password", "birdie"
    )
    link = re.findall(r"http\S+birdie", await ada.sees("&key=birdie"))[0]
    code = re.findall(r"table=(\w{8})", link)[0]
    ben = await sit("ben", "--lang", language, "--lobby", "--name", "Ben")
    await ben.says(
        two(f"join {code}", f"rejoins {code}"), two("If it has a pass", "Si elle a un mot")
    )
    await ben.says(
        two(f"join {code} bogey", f"rejoins {code} bogey"), two("no such table", "telle table")
    )
    await ben.says(
        two(f"watch {code} birdie", f"observe {code} birdie"), two("You watch", "Vous regardez")
    )
    await ben.says(
        two(f"join {link}", f"rejoins {link}"), two("Everybody is here", "Tout le monde est là")
    )
    await ben.says(two("leave", "abandonne"), two("again", "encore"))
    await ben.says(
        two("leave", "abandonne"),
        two("given your seat up", "rendu votre place"),
        "lobby" if language == EN else "salon",
    )


async def test_scenario_I3_a_host_has_words_about_those_who_watch(
    sit: Sit, language: Language
) -> None:
    two = Words(language)
    ada, code = await host(sit, language, "-o", "watch_chat=all", "--listed")
    eve = await sit("eve", "--lang", language, "--name", "Eve", "--watch", code)
    await eve.sees(two("You watch table", "Vous regardez la table"))
    watching = two("Watching now: ", "Spectateurs en ce moment : ")
    while not (await ada.says(two("spectators", "spectateurs"), watching)).endswith("1."):
        await ada.sees(two("chat all", "paroles tous"))  # it is told a little later
    await ada.sees(two("allowed yes, password yes, chat all", "permis oui, motdepasse oui, par"))
    await eve.says(two("say nice table", "dis belle table"), two("nice table", "belle table"))
    line = await ada.sees(two("Eve, who watches, says (#", "Eve, qui regarde, dit (#"))
    number = re.findall(r"#\d+", ada.shown)[-1]
    assert line
    await ada.says(
        two("mute ", "sourdine ") + number, two("You hear whoever said #", "n’entendez plus")
    )
    await ada.says(
        two("spectators chat apart", "spectateurs paroles entre-eux"), two("watch", "regarder")
    )
    await ada.says(two("spectators delay 30", "spectateurs délai 30"), "30")
    await ada.says(
        two("spectators delay 301", "spectateurs délai 301"), two("Say what", "Dites quoi")
    )
    await ada.says(
        two("spectators password no", "spectateurs motdepasse non"), two("watch", "regarder")
    )
    await ada.says(two("spectators no", "spectateurs non"), two("watch", "regarder"))
    await eve.sees(two("You may not watch", "Vous ne pouvez plus regarder"))
    await eve.ended()
    ben = await sit("ben", "--lang", language, "--lobby")
    await ben.sees(two("no spectators", "sans spectateurs"))


async def test_scenario_I3_a_move_is_taken_back_by_words(sit: Sit, language: Language) -> None:
    two = Words(language)
    ada, code = await host(sit, language, "-o", "undo=true", "-o", "holes=1")
    ben = await sit("ben", "--lang", language, code, "--name", "Ben")
    setup = two("Turn 2 of your cards up", "Retournez 2 de vos cartes")
    for one in (ada, ben):
        await one.sees(two("Everybody is here", "Tout le monde est là"))
        one.type("")
    for one in (ada, ben):
        await one.sees(setup)
        one.type(two("flip 1", "retourne 1"), two("flip 2", "retourne 2"))
    turn, first = two("Your turn: ", "À vous : "), two("You play first", "Vous jouez en premier")
    await ada.sees(two("first.", "premier."))
    await ben.sees(two("first.", "premier."))
    mover, other = (ada, ben) if first in ada.shown else (ben, ada)
    await mover.sees(turn)
    await mover.says(two("take", "prends"), two("You take", "Vous prenez"))
    mover.type(two("undo", "annule"))
    await other.sees(
        two("asks to take the last move back: agree", "demande à reprendre le dernier")
    )
    other.type(two("agree", "accepte"))
    await mover.sees(turn)
