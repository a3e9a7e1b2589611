"""The course site: its files, and its pages in a real browser (headless Chromium, where there is one)."""
import ast
import functools
import http.server
import re
import shutil
import threading
from pathlib import Path
from urllib.parse import unquote, urljoin, urlparse

import pytest
from bs4 import BeautifulSoup
from tinytorch.course.notebooks import is_solution, modules, read
from tinytorch.course.site import build, with_mathml

ROOT = Path(__file__).parents[2]
CHROMIUM = next(filter(None, map(shutil.which, ('chromium', 'chromium-browser', 'google-chrome'))), None)
FLAGS = ('--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync').split()
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason='no Chromium here: the browser tests of the site are left out')


@pytest.fixture(scope='session')
def site():
    """The folder of the built site."""
    return build(ROOT)


@pytest.fixture(scope='session')
def pages(site):
    """Each page's path in the site, and its text."""
    return {path.relative_to(site).as_posix(): path.read_text(encoding='utf-8') for path in sorted(site.rglob('*.html'))}


@pytest.fixture(scope='session')
def address(site):
    """Where the site is served on this machine."""
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args): pass
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f'http://127.0.0.1:{server.server_port}/'
    server.shutdown()


@pytest.fixture(scope='session')
def browser():
    """Headless Chromium."""
    from playwright.sync_api import sync_playwright
    with sync_playwright() as p:
        chromium = p.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


def code_of(text): return [block.get_text() for block in BeautifulSoup(text, 'html.parser').select('pre')]


def test_every_module_has_a_page_and_is_on_the_learning_path(pages):
    for m in modules(ROOT):
        assert f'{m.assignment}/{m.name}.html' in pages
        assert f'{m.assignment}/{m.name}.html' in pages['index.html']


def test_no_answer_and_no_hidden_test_on_any_page(pages):
    for name, text in pages.items():
        if name.startswith('course/'): continue  # the tools' own pages speak of the markers
        for marker in 'BEGIN HIDDEN', 'END HIDDEN', 'BEGIN SOLUTION', 'END SOLUTION': assert marker not in text, (name, marker)
        for marker in '#| export', '#| hide', '#| default_exp': assert all(marker not in code for code in code_of(text)), (name, marker)
    for m in modules(ROOT):
        shown = re.sub(r'\s+', ' ', ' '.join(code_of(pages[f'{m.assignment}/{m.name}.html'])))
        checked = 0
        for cell in read(m.path).cells:
            for body in re.findall(r'### BEGIN SOLUTION\n(.*?)### END SOLUTION', cell.source, re.S) if is_solution(cell) else []:
                if len(body.strip().splitlines()) < 2: continue
                checked += 1
                assert re.sub(r'\s+', ' ', body).strip() not in shown, f'{m.assignment}: the solution {body.strip().splitlines()[0]!r} is on its page'
            for test in re.findall(r'### BEGIN HIDDEN TESTS\n(.*?)### END HIDDEN TESTS', cell.source, re.S):
                assert re.sub(r'\s+', ' ', test).strip() not in shown
        assert checked or m.number == 1


def test_figures_and_results_are_there(pages):
    for m in modules(ROOT):
        page = BeautifulSoup(pages[f'{m.assignment}/{m.name}.html'], 'html.parser')
        assert page.select('.cell-output pre'), m.assignment
        assert m.number == 1 or page.select('.cell-output img[alt]'), m.assignment


def test_no_broken_link_and_no_other_host(site, pages):
    ids = {name: {e['id'] for e in BeautifulSoup(text, 'html.parser').select('[id]')} for name, text in pages.items()}
    for name, text in pages.items():
        page = BeautifulSoup(text, 'html.parser')
        for tag, attribute in ('a', 'href'), ('img', 'src'), ('script', 'src'), ('link', 'href'):
            for element in page.select(f'{tag}[{attribute}]'):
                link = element[attribute]
                if tag == 'a' and re.match(r'https?:|mailto:', link) or link.startswith('data:'): continue
                url = urlparse(urljoin(f'/{name}', link))
                assert not url.netloc, f'{name} loads {link}'
                target = unquote(url.path.lstrip('/')) or 'index.html'
                assert (site / target).exists(), f'{name} links to {link}'
                if url.fragment and target in ids: assert unquote(url.fragment) in ids[target], f'{name} links to {link}'


def test_pages_are_light_and_readable_without_javascript(site, pages):
    for name, text in pages.items():
        page = BeautifulSoup(text, 'html.parser')
        weight = len(text.encode()) + sum((site / name).parent.joinpath(i['src']).stat().st_size for i in page.select('img[src]') if not i['src'].startswith('data:'))
        assert weight < 1_500_000, f'{name} weighs {weight:,} bytes'
        assert len(page.select_one('main').get_text(strip=True)) > 200, name


@pytest.mark.parametrize('text, expected', [('a $x$ b', '<math'), ('$$y$$', 'display="block"'), ('costs $5 and $6', 'costs $5 and $6'), ('`$x$`', '`$x$`'), ('```\n$x$\n```', '```\n$x$\n```')])
def test_what_becomes_maths(text, expected): assert expected in with_mathml(text)


@needs_browser
@pytest.mark.parametrize('scheme', ['light', 'dark'])
@pytest.mark.parametrize('size', [(1280, 900), (390, 844)], ids=['desktop', 'phone'])
def test_every_page_opens_cleanly(browser, address, pages, size, scheme):
    context = browser.new_context(viewport={'width': size[0], 'height': size[1]}, color_scheme=scheme)
    tab, problems = context.new_page(), []
    tab.on('console', lambda m: problems.append(m.text) if m.type == 'error' else None)
    tab.on('pageerror', lambda e: problems.append(str(e)))
    tab.on('request', lambda r: problems.append(f'request to {r.url}') if not r.url.startswith((address, 'data:')) else None)
    for name in pages:
        tab.goto(address + name)
        assert not problems, (name, problems)
        assert tab.evaluate('document.documentElement.scrollWidth') <= size[0], f'{name} scrolls sideways'
        sizes = tab.evaluate('[...document.querySelectorAll("math")].filter(m => !m.closest("details:not([open])")).map(m => m.getBoundingClientRect()).map(r => Math.min(r.width, r.height))')
        assert all(s > 0 for s in sizes), f'{name}: a formula has no size'
        assert '$$' not in tab.inner_text('main').replace("'$$", '').replace('`$$', '') or name.startswith('course/'), name
    context.close()


@needs_browser
def test_maths_is_rendered(browser, address):
    tab = browser.new_page()
    tab.goto(address + '12_attention/attention.html')
    assert tab.locator('math').count() > 20
    assert tab.evaluate('document.querySelector("math mfrac").getBoundingClientRect().height') > 20
    tab.close()


@needs_browser
def test_search_finds_softmax(browser, address):
    tab = browser.new_page(viewport={'width': 1280, 'height': 900})
    tab.goto(address + 'index.html')
    tab.locator('input[type=search], input[type=text]').first.fill('softmax')
    tab.wait_for_function("[...document.querySelectorAll('a')].some(a => /03_activations|12_attention/.test(a.href) && a.closest('[class*=search]'))", timeout=10_000)
    tab.close()


@needs_browser
def test_dark_mode_can_be_chosen(browser, address):
    tab = browser.new_page(color_scheme='light', viewport={'width': 1280, 'height': 900})
    tab.goto(address + 'index.html')
    brightness = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0)"
    before = tab.evaluate(brightness)
    tab.locator('.quarto-color-scheme-toggle').first.click()
    assert before > 600 > 300 > tab.evaluate(brightness)
    tab.close()
