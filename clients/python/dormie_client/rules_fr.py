"""The rules of the variants in French; in English they are the variants' own texts."""

from dormie_protocol.messages import Language
from dormie_rules.variant import Variant

TEXTS: dict[str, str] = {
    "six_card": """\
Golf à six cartes, comme on y joue le plus souvent.

Chacun a six cartes en deux rangées de trois et en retourne deux à son choix. À votre tour, piochez une
carte ou prenez celle du dessus de la défausse. Posez-la à la place d’une de vos six cartes, visible ou
cachée, qui va alors à la défausse ; ou, si elle vient de la pioche, jetez-la, et vous pouvez alors
retourner une de vos cartes cachées. Une carte prise de la défausse doit être posée.

Quand vos six cartes sont visibles, vous avez fermé le trou : chacun des autres a encore un tour, puis tout
est retourné et compté. Si personne ne retourne de carte pendant deux tours de table entiers, chacun a un
dernier tour.

Points : un as 1, un 2 enlève 2, de 3 à 10 leur valeur, valet et dame 10, un roi rien. Deux cartes de même
rang dans une colonne ne comptent rien. Le plus petit total après neuf trous gagne.""",
    "six_card_table": """\
Golf à six cartes tel que les tables de Dormie le jouent : jokers, prix pour qui ferme trop tôt, limite de 100.

Chacun a six cartes en deux rangées de trois et en retourne deux à son choix. À votre tour, piochez une
carte ou prenez celle du dessus de la défausse. Posez-la à la place d’une de vos six cartes, qui va alors à
la défausse ; ou, si elle vient de la pioche, jetez-la, et vous devez alors retourner une de vos cartes
cachées. Une carte prise de la défausse doit être posée.

Quand vos six cartes sont visibles, vous avez fermé le trou : chacun des autres a encore un tour, puis tout
est retourné et compté. Si quelqu’un a alors moins de points que celui qui a fermé, celui-ci paie 10 de
plus, ou le double des points du trou si c’est plus cher.

Points : un as 1, un 2 enlève 2, de 3 à 10 leur valeur, valet et dame 10, un roi rien, un joker enlève 3.
Deux cartes de même rang dans une colonne ne comptent rien, deux jokers non plus. Qui atteint 100 points est
éliminé ; le dernier en jeu gagne.""",
    "playroom": """\
Golf de récréation : de quatre à seize cartes, toutes cachées, et toute ligne pleine de cartes égales est gratuite.

Chacun a une grille de cartes, toutes cachées : deux rangées de trois, sauf si la table choisit une autre
forme. À votre tour, piochez une carte ou prenez celle du dessus de la défausse. Posez-la à la place d’une
de vos cartes, qui va alors à la défausse ; ou, si elle vient de la pioche, jetez-la, et vous devez alors
retourner une de vos cartes cachées. Une carte prise de la défausse doit être posée.

Quand toutes vos cartes sont visibles, vous avez fermé le trou : chacun des autres a encore un tour, puis
tout est retourné et compté. Si quelqu’un a alors moins de points que celui qui a fermé, celui-ci paie 10 de
plus, ou le double des points du trou si c’est plus cher.

Points : un as 1, de 2 à 10 leur valeur, un valet 11, une dame 12, un roi rien, un joker enlève 3. Une rangée
entière, une colonne entière, et sur une grille carrée une diagonale entière d’un seul rang ne comptent rien.
Qui atteint 100 points est éliminé ; le dernier en jeu gagne. De plus grandes grilles font des trous plus
chers : environ 180 convient à trois rangées de trois, 350 à quatre rangées de quatre.""",
    "nine_card": """\
Golf à neuf cartes : trois rangées de trois, où rangées, colonnes et diagonales d’un seul rang sont gratuites.

Chacun a neuf cartes en trois rangées de trois et en retourne trois à son choix. À votre tour, piochez une
carte ou prenez celle du dessus de la défausse. Posez-la à la place d’une de vos neuf cartes, qui va alors à
la défausse ; ou, si elle vient de la pioche, jetez-la, et vous pouvez alors retourner une de vos cartes
cachées. Une carte prise de la défausse doit être posée.

Quand vos neuf cartes sont visibles, vous avez fermé le trou : chacun des autres a encore un tour, puis tout
est retourné et compté. Si personne ne retourne de carte pendant deux tours de table entiers, chacun a un
dernier tour.

Points : un as 1, un 2 enlève 2, de 3 à 10 leur valeur, valet et dame 10, un roi rien. Une rangée, une colonne
ou une diagonale entière d’un seul rang ne compte rien. Le plus petit total après neuf trous gagne.""",
}


def rules_text(variant: Variant, language: Language) -> str:
    """The rules for people; in English where there is no French text yet."""
    return TEXTS.get(variant.name, variant.text) if language == "fr" else variant.text
