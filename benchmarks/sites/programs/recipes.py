"""The recipes of all programs, in the order in which their sites are built."""

from __future__ import annotations

from benchmarks.sites.programs.blogs_and_manuals.articles_and_references.recipes import ARTICLE_GENERATORS, ARTICLE_THEMES
from benchmarks.sites.programs.blogs_and_manuals.journals_and_manuals.recipes import JOURNAL_GENERATORS, JOURNAL_THEMES
from benchmarks.sites.programs.blogs_and_manuals.pages_and_handbooks.recipes import PAGE_GENERATORS, PAGE_THEMES
from benchmarks.sites.programs.blogs_and_manuals.posts_and_handbooks.recipes import POST_GENERATORS, POST_THEMES
from benchmarks.sites.programs.boards_and_catalogues.recipes import BOARD_GENERATORS, BOARD_THEMES
from benchmarks.sites.programs.markets_and_readers.recipes import MARKET_GENERATORS, MARKET_THEMES
from benchmarks.sites.programs.publications.recipes import PUBLICATION_GENERATORS, PUBLICATION_THEMES
from benchmarks.sites.programs.publishing_sites.recipes import PUBLISHING_GENERATORS, PUBLISHING_THEMES
from benchmarks.sites.programs.questions_and_events.recipes import QUESTION_GENERATORS, QUESTION_THEMES
from benchmarks.sites.programs.shops_and_threads.further_recipes import FURTHER_THREAD_GENERATORS, FURTHER_THREAD_THEMES
from benchmarks.sites.programs.shops_and_threads.recipes import THREAD_GENERATORS, THREAD_THEMES
from benchmarks.sites.programs.talks_and_offers.recipes import OFFER_GENERATORS, OFFER_THEMES
from benchmarks.sites.programs.threads_and_goods.recipes import GOODS_GENERATORS, GOODS_THEMES

PROGRAM_GENERATORS = {
    **PUBLISHING_GENERATORS,
    **THREAD_GENERATORS,
    **PUBLICATION_GENERATORS,
    **FURTHER_THREAD_GENERATORS,
    **PAGE_GENERATORS,
    **BOARD_GENERATORS,
    **GOODS_GENERATORS,
    **ARTICLE_GENERATORS,
    **OFFER_GENERATORS,
    **QUESTION_GENERATORS,
    **POST_GENERATORS,
    **JOURNAL_GENERATORS,
    **MARKET_GENERATORS,
}
PROGRAM_THEMES = (
    *PUBLISHING_THEMES,
    *THREAD_THEMES,
    *PUBLICATION_THEMES,
    *FURTHER_THREAD_THEMES,
    *PAGE_THEMES,
    *BOARD_THEMES,
    *GOODS_THEMES,
    *ARTICLE_THEMES,
    *OFFER_THEMES,
    *QUESTION_THEMES,
    *POST_THEMES,
    *JOURNAL_THEMES,
    *MARKET_THEMES,
)
