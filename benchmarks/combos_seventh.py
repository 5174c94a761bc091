"""A seventh dozen of sets of cards that loop together, for hanayome, in the form of `combos_planted.py`.

They were invented by the one who then worked on the search, and knew the dozens before: nine before anything of how candidates and positions are made was read,
`hero-relay`, `safe-return` and `runaway-bride` changed or put in the place of others that were not minimal when the code had been opened, but not studied. Of each set `check` told the loop in
a position made by hand, and none there with the text of any one card blank. The first six were looked at while the search was worked on; of the last six
(`LAID_ASIDE`) only whether they were found, and when all was done.
"""
from __future__ import annotations

from combos_fifth import AN_EVENT, PLAYED, TO_A_LANE, WED
from combos_fourth import ANOTHER_LEFT, ENTERED
from combos_sixth import OPPONENT_ENTERED, PUT_AWAY
from combos_third import DISCARDED, HAND_ENTERS, HERO_UP, MOVED, Planted

SHUFFLE = "デッキをシャッフルする。"
A_CHARACTER = "あなたの控え室のキャラカード1枚を選び、手札に加える。"

HANAYOME_SEVENTH: Planted = [
    ("walk-and-fetch", [
        ("五月", "【起動】[手札を1枚控え室に置く]あなたの一花1人を選び、他のレーンに移動する。"),
        ("一花", f"{MOVED}{A_CHARACTER}")]),
    ("safe-return", [
        ("一花", "【永続】このキャラがレーンから控え室に置かれる時、かわりにこのキャラを手札に加える。"),
        ("二乃", "【自動】あなたの他のキャラが登場した時、そのキャラを控え室に置く。"),
        ("五月", f"{ANOTHER_LEFT}{HAND_ENTERS}")]),
    ("hero-relay", [
        ("三玖", f"{HERO_UP}あなたの四葉1人を選び、キャラのいないレーンに移動する。"),
        ("四葉", f"{MOVED}1枚引く。"),
        ("二乃", f"【起動】[表向きの主人公1枚を裏にする]{SHUFFLE}"),
        ("一花", "【起動】[手札を1枚デッキの上に置く]裏向きの主人公1枚を選び、表にする。")]),
    ("evening-walk", [
        ("一花", "【自動】ターンの終わりに、このキャラを手札に加える。"),
        ("二乃", f"{ANOTHER_LEFT}{HAND_ENTERS}")]),
    ("seat-swap", [
        ("二乃", "【起動】[手札を1枚控え室に置く]あなたの四葉1人を選び、このキャラと入れ替える。"),
        ("四葉", f"{MOVED}デッキからイベントカードを1枚探し手札に加え、{SHUFFLE}"),
        ("三玖", f"{DISCARDED}あなたの控え室のイベントカード1枚を選び、デッキの上に置く。")]),
    ("uninvited", [
        ("", "【メイン】相手のキャラ1人を選び、手札に加える。"),
        ("三玖", f"{ANOTHER_LEFT}{HAND_ENTERS}"),
        ("五月", f"{OPPONENT_ENTERED}{AN_EVENT}")]),
    ("bride-visits", [
        ("", f"【メイン】あなたの花嫁1人を選び、{TO_A_LANE}"),
        ("四葉", f"{ENTERED}このキャラを花嫁エリアに置く。"),
        ("三玖", f"{ANOTHER_LEFT}{AN_EVENT}")]),
    ("never-left", [
        ("五月", f"{OPPONENT_ENTERED}そのキャラを控え室に置く。"),
        ("二乃", f"{PUT_AWAY}あなたの控え室の二乃のキャラカード1枚を選び、{TO_A_LANE}")]),
    ("searched-and-put", [
        ("", f"【メイン】デッキからイベントカードを1枚探し手札に加え、{SHUFFLE}"),
        ("四葉", f"{PLAYED}あなたの控え室のイベントカード1枚を選び、デッキの上に置く。")]),
    ("taken-for-her", [
        ("五月", "【起動】[手札を1枚デッキの上に置く]あなたの一花1人を選び、他のレーンに移動する。"),
        ("三玖", f"{MOVED}1枚引く。"),
        ("二乃", "【永続】あなたの三玖は一花としても扱う。")]),
    ("runaway-bride", [
        ("", "【メイン】あなたの二乃1人を選び、花嫁エリアに置く。"),
        ("二乃", f"{WED}このキャラを手札に加える。"),
        ("五月", f"{ANOTHER_LEFT}{HAND_ENTERS}"),
        ("三玖", f"【自動】あなたの他のキャラが登場した時、{AN_EVENT}")]),
    ("lent-shyness", [
        ("一花", "【永続】あなたの他のキャラは『【自動】このキャラが登場した時、このキャラを手札に加える。』を得る。"),
        ("二乃", f"{ANOTHER_LEFT}{HAND_ENTERS}")]),
]
LAID_ASIDE = tuple(name for name, _ in HANAYOME_SEVENTH[6:])
