"""图: search, focus, unfold and fold; five states; the keyboard; the table."""

import json

import pytest

from tests.browser.conftest import place


@pytest.fixture
def graph(visit):
    return visit("sample", "graph")


def search(page, text):
    page.fill("#search input", text)
    page.wait_for_selector('#search [role="option"]')
    page.keyboard.press("Enter")
    page.wait_for_selector(".entry")


def test_the_graph_opens_with_a_part_and_says_how_much_there_is(graph, shot):
    assert graph.locator("main").get_attribute("data-state") == "ready"
    shown, total = [
        int(n.replace(",", "")) for n in graph.inner_text("[data-count]").replace(" 个名字", "").split(" / ")
    ]
    assert shown == 80 == graph.locator(".mirror li").count()
    assert total > 80
    shot(graph, "graph")
    graph.click("text=再多一些")
    graph.wait_for_function("() => document.querySelectorAll('.mirror li').length === 160")
    shot(graph, "graph-160")


def test_a_name_is_found_by_its_letters(graph, shot):
    search(graph, "望汛")
    assert graph.locator(".entry h2").inner_text().startswith("望汛塔")
    assert graph.locator(".entry .quote").count() > 0
    graph.wait_for_timeout(300)
    shot(graph, "graph-entry")


def test_a_name_that_is_not_shown_becomes_the_middle(graph, shot):
    shown = set(graph.eval_on_selector_all(".mirror li", "items => items.map(item => item.dataset.name)"))
    names = ["门板", "芦花", "茶馆", "药铺", "故事", "灯油", "墙", "鹦鹉", "显微镜"]
    name = next(name for name in names if name not in shown)
    search(graph, name)
    assert "focus=" in graph.url
    assert graph.locator(".mirror li").count() <= 40
    graph.wait_for_timeout(300)
    shot(graph, "graph-focus")
    graph.click("text=回到全图")
    graph.wait_for_function("() => document.querySelectorAll('.mirror li').length === 80")


def test_a_badge_unfolds_and_folds(graph, shot):
    item = graph.locator('.mirror li:not([data-hidden="0"])').first
    name, hidden = item.get_attribute("data-name"), int(item.get_attribute("data-hidden"))
    graph.wait_for_function("() => document.querySelector('.mirror li').dataset.x")
    before = {
        id: (x, y)
        for id, x, y in graph.eval_on_selector_all(
            ".mirror li", "l => l.map(i => [i.dataset.id, i.dataset.x, i.dataset.y])"
        )
    }
    graph.mouse.dblclick(*place(graph, name))
    graph.wait_for_function("n => document.querySelectorAll('.mirror li').length > n", arg=len(before))
    assert graph.locator(".mirror li").count() == len(before) + min(12, hidden)
    graph.wait_for_timeout(300)
    after = graph.locator(f'.mirror li[data-name="{name}"]')
    assert int(after.get_attribute("data-hidden")) == max(0, hidden - 12)
    shot(graph, "graph-unfolded")
    after.locator("button").focus()
    graph.keyboard.press("-")
    graph.wait_for_function("n => document.querySelectorAll('.mirror li').length === n", arg=len(before))
    assert int(graph.locator(f'.mirror li[data-name="{name}"]').get_attribute("data-hidden")) == hidden


@pytest.mark.parametrize(
    ("to", "taken", "written"),
    [
        ([200, 0], [], True),
        ([0, 200], [], True),
        ([90, 0], [], False),  # it would lean on a node
        ([200, 0], [100, 0], True),  # there is room beside the name in the middle
        ([150, 0], [75, 0], False),
    ],
)
def test_words_on_a_line_have_room_or_are_left_out(graph, to, taken, written):
    spot = graph.evaluate(
        """async ([to, taken]) => {
            const { alongLine } = await import("/static/labels.js");
            const hits = (box) => Math.abs(box.x - taken[0]) * 2 < box.width + 40 && Math.abs(box.y - taken[1]) * 2 < box.height + 18;
            return alongLine({ x: 0, y: 0 }, { x: to[0], y: to[1] }, { width: 40, ends: [20, 20] }, (box) => !taken.length || !hits(box));
        }""",
        [to, taken],
    )
    assert (spot is not None) == written
    if spot:
        reach = max(abs(spot["box"]["x"]), abs(spot["box"]["y"]))
        assert 20 + 20 < reach < 200 - 20 - 20


def test_a_click_on_the_canvas_opens_an_entry(graph):
    graph.wait_for_function("() => document.querySelector('.mirror li').dataset.x")
    name = graph.locator(".mirror li").nth(1).get_attribute("data-name")
    graph.mouse.click(*place(graph, name))
    graph.wait_for_selector(".entry")
    assert graph.locator(".entry h2").inner_text().startswith(name)


def test_the_canvas_is_usable_by_keyboard(graph):
    graph.locator(".mirror button").first.focus()
    graph.keyboard.press("ArrowDown")
    second = graph.evaluate("document.activeElement.closest('li').dataset.name")
    assert second == graph.locator(".mirror li").nth(1).get_attribute("data-name")
    graph.keyboard.press("Enter")
    graph.wait_for_selector(".entry")
    assert graph.locator(".entry h2").inner_text().startswith(second)
    graph.locator(f'.mirror li[data-name="{second}"] button').focus()
    graph.keyboard.press("Escape")
    assert graph.locator(".entry").count() == 0


def test_letters_typed_into_a_line_are_no_shortcuts(graph):
    graph.focus("#search input")
    graph.keyboard.type("e?c")
    assert graph.locator("dialog").count() == 0
    assert graph.input_value("#search input") == "e?c"


def test_the_legend_filters_and_says_so(graph, shot):
    graph.click('#legend [data-kind="person"]')
    assert graph.locator("main").get_attribute("data-state") == "filtered"
    assert graph.locator('.mirror li[data-kind="person"]').count() == 0
    for kind in ("place", "organisation", "event", "other"):
        graph.click(f'#legend [data-kind="{kind}"]')
    assert graph.locator("#centre").is_visible()
    shot(graph, "graph-filtered")
    graph.locator("#centre button").click()
    assert graph.locator("main").get_attribute("data-state") == "ready"
    assert graph.locator(".mirror li").count() == 80


def test_the_table_is_the_other_face(graph, shot):
    graph.click("#face-table")
    assert graph.locator("#table tbody tr").count() == 80
    shot(graph, "table")
    graph.locator("#table tbody button").first.click()
    graph.wait_for_selector(".entry")


def test_an_empty_graph_is_calm(visit, empty, shot):
    page = visit(empty, "graph")
    assert page.locator("main").get_attribute("data-state") == "empty"
    assert page.locator("#centre a").is_visible()
    shot(page, "graph-empty")


def test_a_graph_that_fails_says_why_and_tries_again(visit, shot):
    visit.allowed.append("500")
    page = visit("sample")
    body = json.dumps(
        {"status": 500, "code": "internal", "detail": "the disk is gone", "title": "x", "type": "about:blank"}
    )
    page.route(
        "**/subgraph*", lambda route: route.fulfill(status=500, content_type="application/problem+json", body=body)
    )
    page.click(".rail a:nth-child(2)")
    page.wait_for_selector('main[data-state="failed"]')
    assert "the disk is gone" in page.inner_text("#centre")
    shot(page, "graph-failed")
    page.unroute("**/subgraph*")
    page.locator("#centre button").click()
    page.wait_for_selector('main[data-state="ready"]')


def test_a_graph_that_loads_says_so(visit, shot):
    page = visit("sample")
    held = []

    def hold(route):
        held.append(route)

    page.route("**/subgraph*", hold)
    page.click(".rail a:nth-child(2)")
    page.wait_for_selector('main[data-state="loading"] #centre .waiting')
    shot(page, "graph-loading")
    page.wait_for_timeout(200)
    for route in held:
        route.continue_()
    page.wait_for_selector('main[data-state="ready"]')


def test_a_name_corrected_by_hand_is_cinnabar_and_undo_takes_it_back(visit, empty, served, shot):
    served.house.spaces.open(empty).ingest_text(
        "凯文住在海边的钟楼。爱莉希雅住在花园。凯文认识爱莉希雅。", name="a.txt"
    )
    page = visit(empty, "graph")
    search(page, "凯文")
    page.click("text=改名")
    page.fill(".correct input", "凯文·卡斯兰娜")
    page.keyboard.press("Enter")
    page.wait_for_selector(".entry h2.hand")
    page.wait_for_selector('.mirror li[data-name="凯文·卡斯兰娜"][data-hand="true"]', state="attached")
    page.wait_for_timeout(300)
    shot(page, "graph-hand")
    page.locator("main").click(position={"x": 5, "y": 300})
    page.keyboard.press("Control+z")
    page.wait_for_selector('.mirror li[data-name="凯文"][data-hand="false"]', state="attached")
    page.keyboard.press("Control+Shift+z")
    page.wait_for_selector('.mirror li[data-name="凯文·卡斯兰娜"]', state="attached")


@pytest.mark.parametrize("page_name", ["ask", "graph", "library"])
def test_an_undone_name_leaves_the_open_entry_at_once(visit, empty, served, page_name):
    memory = served.house.spaces.open(empty)
    memory.ingest_text("凯文住在海边的钟楼。", name="a.txt")
    kevin = next(item.id for item in memory.suggestions("凯文"))
    page = visit(empty, page_name, query=f"?entry={kevin}")
    page.wait_for_selector(".entry")
    page.click("text=改名")
    page.fill(".correct input", "凯文·卡斯兰娜")
    page.keyboard.press("Enter")
    page.wait_for_selector(".entry h2.hand")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Control+z")
    page.wait_for_selector(".entry h2:not(.hand)", timeout=1500)
    assert page.inner_text(".entry h2").startswith("凯文")
    memory.rename(kevin, "凯", actor="cli")
    page.wait_for_function("() => document.querySelector('.entry h2').firstChild.data === '凯'", timeout=3000)
    page.click("text=改名")
    page.fill(".correct input", "还没写完")
    memory.rename(kevin, "文", actor="cli")
    page.wait_for_timeout(1200)
    assert page.input_value(".correct input") == "还没写完"


def test_another_process_is_seen_without_a_reload(visit, empty, served):
    memory = served.house.spaces.open(empty)
    page = visit(empty, "graph")
    page.wait_for_selector('html[data-live="on"]')
    memory.ingest_text("凯文住在海边的钟楼。", name="a.txt", actor="cli")
    page.wait_for_selector('main[data-state="ready"] .mirror li[data-name="凯文"]', state="attached")


@pytest.mark.parametrize(("theme", "language"), [("dark", "zh-CN"), ("light", "en-GB"), ("dark", "en-GB")])
def test_colours_and_words_follow_the_reader(visit, shot, theme, language):
    page = visit("sample", "graph", theme=theme, language=language)
    search(page, "Miriam Dask")
    page.wait_for_timeout(400)
    shot(page, f"graph-{language[:2]}-{theme}")


def test_the_theme_changes_at_once_and_is_remembered(graph, shot):
    def paper():
        return graph.evaluate("getComputedStyle(document.body).backgroundColor")

    light = paper()
    graph.click("#theme")
    assert paper() != light
    graph.wait_for_timeout(200)
    shot(graph, "graph-turned-dark")
    graph.reload()
    graph.wait_for_selector('main[data-state="ready"]')
    assert paper() != light
    assert graph.locator("#theme").get_attribute("aria-pressed") == "true"


def test_the_language_changes_with_one_click(graph):
    graph.click("#language")
    graph.wait_for_selector('html[lang="en"]')
    graph.wait_for_selector('main[data-state="ready"]')
    assert "of" in graph.inner_text("[data-count]")


@pytest.mark.parametrize("page_name", ["ask", "graph", "library"])
def test_the_open_entry_stays_open_in_the_other_language(visit, served, page_name):
    memory = served.house.spaces.open("sample")
    found = memory.suggestions("望汛塔")[0]
    page = visit("sample", page_name, query=f"?entry={found.id}")
    page.wait_for_selector(".entry")
    page.click("#language")
    page.wait_for_selector('html[lang="en"] .entry')
    assert page.inner_text(".entry h2").startswith(found.name)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Escape")
    assert "entry=" not in page.url


def test_the_rail_and_the_theme_speak_as_the_page_does(visit, shot):
    page = visit("sample", "library", theme="dark")
    assert page.locator(".rail small").all_inner_texts() == ["提问", "图谱", "书库"]
    assert page.inner_text("#theme").startswith("☀")
    page.click("#theme")
    assert page.inner_text("#theme") == "☾"
    shot(page, "library-turned-light")
    page = visit("sample", "library", language="en-GB")
    assert page.locator(".rail small").all_inner_texts() == ["Ask", "Graph", "Library"]


@pytest.mark.parametrize("width", [360, 768])
def test_the_graph_fits_a_small_screen(visit, shot, width):
    page = visit("sample", "graph", width=width, height=740)
    page.wait_for_timeout(300)
    shot(page, f"graph-{width}")
    search(page, "望汛塔")
    page.wait_for_timeout(400)
    shot(page, f"graph-entry-{width}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
