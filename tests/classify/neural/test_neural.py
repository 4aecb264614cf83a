"""SemText and BoilerNet: text blocks, words and leaves of a page, word vectors, the LSTM and the CRF."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightread.classify.neural.boilernet import WINDOW, leaves
from sightread.classify.neural.layers import BiLstm, Chain, Lstm, hash_rows, pad, unpad
from sightread.classify.neural.semtext.input import name_words, search_and_combine
from sightread.models.registry import MODELS
from sightread.render.static.parse import read_html

MENU = "<ul><li><a href=/>Home</a><li><a href=/n>News</a><li>Contact us</ul>"
STORY = "<h1>Rain at last</h1><p>After nine dry weeks it rained in the valley.</p><p>Farmers had long waited for this day.</p>"


def texts(html):
    page = read_html(html)
    starts = search_and_combine(page).tolist()
    return [[block.text for block in page.blocks[start:stop]] for start, stop in pairwise(starts)]


def test_a_menu_is_one_text_block_and_each_paragraph_is_its_own():
    assert texts(MENU + STORY) == [
        ["Home", "News", "Contact us"],
        ["Rain at last"],
        ["After nine dry weeks it rained in the valley."],
        ["Farmers had long waited for this day."],
    ]


def test_a_text_block_has_the_label_of_most_of_its_characters():
    page = read_html("<ul><li>a<li>long enough words<li>b</ul><p>One paragraph that has no label at all.</p>")
    join_labels = pytest.importorskip("sightread.classify.training.semtext", reason="training needs the extra `neural`").join_labels
    labels = np.array([0, 1, 0, -1], np.int8)
    assert join_labels(page, search_and_combine(page), labels).tolist() == [1, -1]


def test_class_names_are_cut_at_case_and_delimiters_and_written_out():
    assert name_words("articleBody-txt_2") == ("article", "body", "text")
    assert name_words("mainNav") == ("main", "navigation")
    assert name_words("HTMLContent") == ("html", "content")
    assert name_words("col-md-6 x") == ("column", "medium")
    assert name_words("123") == ()


@pytest.mark.parametrize("name", ["semtext", "boilernet"])
def test_a_page_longer_than_a_window_is_read_to_its_end(name):
    page = read_html("".join(f"<p>The rain fell on hill number {row} all day.</p><p>b</p>" for row in range(2 * WINDOW)))
    found = MODELS[name].make().predict(page).relative
    assert len(np.unique(found[-9:].round(6))) > 2


def test_blocks_that_were_joined_share_their_probability_and_tags_and_names_change_it():
    model = MODELS["semtext"].make()
    menu, other, story = model.predict(read_html("<ul><li>Home<li>News</ul><p>After nine dry weeks it rained in the valley.</p>")).relative
    assert menu == other != story
    pages = [read_html(f"<{tag}>Some words of a text.") for tag in ("div", "div class=comment", "blockquote")]
    assert len({float(model.predict(page).relative[0]) for page in pages}) == 3


def test_leaves_are_cut_where_links_begin_and_lines_end():
    page = read_html("<p>Read <a href=/>the <b>old</b> news</a>.<br>Today</p>")
    found = [(sum(leaf.words.values()), dict(leaf.inlines)) for leaf in leaves(page)]
    assert found == [(1, {}), (1, {"a": 1}), (1, {"a": 1, "strong": 1}), (1, {"a": 1}), (1, {}), (1, {})]


def murmur(data, seed):
    """MurmurHash3 for x64, 128 bits, as its author describes it; the first 64 bits."""
    mask = (1 << 64) - 1
    c1, c2 = 0x87C37B91114253D5, 0x4CF5AD432745937F

    def turn(value, by):
        return (value << by | value >> (64 - by)) & mask

    def finish(value):
        for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
            value = (value ^ value >> 33) * factor & mask
        return value ^ value >> 33

    h1 = h2 = seed
    for at in range(0, len(data) - 15, 16):
        k1, k2 = (int.from_bytes(data[at + half : at + half + 8], "little") for half in (0, 8))
        h1 = ((turn(h1 ^ turn(k1 * c1 & mask, 31) * c2 & mask, 27) + h2) * 5 + 0x52DCE729) & mask
        h2 = ((turn(h2 ^ turn(k2 * c2 & mask, 33) * c1 & mask, 31) + h1) * 5 + 0x38495AB5) & mask
    tail = data[len(data) // 16 * 16 :]
    h2 ^= turn(int.from_bytes(tail[8:], "little") * c2 & mask, 33) * c1 & mask
    h1 ^= turn(int.from_bytes(tail[:8], "little") * c1 & mask, 31) * c2 & mask
    h1, h2 = h1 ^ len(data), h2 ^ len(data)
    h1 = (h1 + h2) & mask
    h2 = (h2 + h1) & mask
    return (finish(h1) + finish(h2)) & mask


@given(st.lists(st.binary(min_size=1, max_size=60).filter(lambda data: 0 not in data), min_size=1, max_size=8))
def test_rows_are_those_of_the_published_hash(grams):
    expected = [(murmur(gram, 2166136261) % (1 << 32) % 1000, (murmur(gram, 2166136261) >> 32) % 1000) for gram in grams]
    assert hash_rows(grams, 1000).tolist() == [list(pair) for pair in expected]


def test_a_trained_table_is_the_library_s_in_eight_bits():
    pytest.importorskip("floret", reason="training word vectors needs the extra `neural`")
    train_table = pytest.importorskip("sightread.classify.training.semtext", reason="training needs the extra `neural`").train_table
    lines = [" ".join(np.random.default_rng(row).permutation(["home", "about", "story", "comment", "reply"])) for row in range(200)]
    first, second = train_table(lines), train_table(lines)
    assert np.array_equal(first.codes, second.codes)
    assert first.vectors(["story"]).any()


RANDOM = np.random.default_rng(5)


def floats(*shape):
    return RANDOM.normal(size=shape).astype(np.float32)


def lstm(inputs=3, hidden=4):
    return Lstm(floats(4 * hidden, inputs), floats(4 * hidden, hidden), floats(4 * hidden))


def by_definition(layer, steps):
    """The equations of Hochreiter and Schmidhuber with forget gates, one step after another."""
    state = cell = np.zeros(layer.hidden.shape[1])
    for given_step in steps:
        opened, forgets, fresh, shown = np.split(layer.inputs @ given_step + layer.hidden @ state + layer.bias, 4)
        cell = 1 / (1 + np.exp(-forgets)) * cell + 1 / (1 + np.exp(-opened)) * np.tanh(fresh)
        state = 1 / (1 + np.exp(-shown)) * np.tanh(cell)
        yield state


def test_an_lstm_follows_its_equations():
    layer, steps = lstm(), floats(1, 7, 3)
    assert layer.read(steps)[0] == pytest.approx(np.array(list(by_definition(layer, steps[0]))), abs=1e-5)


def test_each_window_is_read_from_both_of_its_own_ends():
    both = BiLstm(lstm(), lstm())
    rows = floats(12, 3)
    windows, lengths = pad(rows, np.array([0, 5, 12]))
    found = unpad(both.read(windows, lengths), lengths)
    for start, stop in ((0, 5), (5, 12)):
        there = np.array(list(by_definition(both.forward, rows[start:stop])))
        back = np.array(list(by_definition(both.backward, rows[start:stop][::-1])))[::-1]
        assert found[start:stop] == pytest.approx(np.concatenate((there, back), axis=1), abs=1e-5)


@given(st.lists(st.integers(1, 6), min_size=1, max_size=4), st.integers(0, 1000))
def test_probabilities_are_those_of_all_label_sequences_together(sizes, seed):
    random = np.random.default_rng(seed)
    chain = Chain(random.normal(size=2), random.normal(size=2), random.normal(size=(2, 2)))
    scores, lengths = pad(random.normal(size=(sum(sizes), 2)), np.cumsum([0, *sizes]))
    found = chain.probabilities(scores, lengths)
    for window, size in enumerate(sizes):
        totals = np.zeros((size, 2))
        for labels in product((0, 1), repeat=size):
            gain = chain.first[labels[0]] + chain.last[labels[-1]] + sum(chain.pairs[pair] for pair in pairwise(labels))
            weight = np.exp(gain + sum(scores[window, step, label] for step, label in enumerate(labels)))
            totals[np.arange(size), labels] += weight
        assert found[window, :size] == pytest.approx(totals[:, 1] / totals.sum(axis=1), abs=1e-6)
        assert not found[window, size:].any()
