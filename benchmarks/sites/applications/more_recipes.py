"""Recipes of further blogs, forums, wikis and shops."""

from __future__ import annotations

from benchmarks.sites.applications.communities import build_application, build_askbot, build_shuup, shuup_gold, write_application
from benchmarks.sites.applications.more_applications import build_otterwiki, build_redmine, write_otterwiki, write_redmine
from benchmarks.sites.applications.shop_and_questions import ASKBOT_PACKAGES, SHUUP_PACKAGES
from benchmarks.sites.generators.more_blogs import DOKS_PACKAGES, build_hugo, write_hugo
from benchmarks.sites.recipe import Generator, Theme, flat, in_folder

MORE_GENERATORS = {
    "redmine": Generator("redmine", (), write_redmine, build_redmine, "html", flat, "debian"),
    "otterwiki": Generator("otterwiki", ("otterwiki==2.26.1",), write_otterwiki, build_otterwiki, "html", flat),
    "punkweb": Generator(
        "punkweb",
        ("punkweb-bb==0.5.2", "Django==5.2.19"),
        lambda project, _, documents: write_application(project, "punkweb", documents),
        build_application,
        "html",
        flat,
    ),
    "hyperkitty": Generator(
        "hyperkitty",
        ("HyperKitty==1.3.12", "Django==5.0.14", "mistune==3.0.2", "libsass==0.23.0"),
        write_application,
        build_application,
        "html",
        flat,
    ),
    "zinnia": Generator(
        "zinnia",
        ("django-blog-zinnia==0.20", "Django==2.2.28", "django-mptt==0.11.0", "django-contrib-comments==2.0.0", "setuptools<81"),
        write_application,
        build_application,
        "html",
        flat,
    ),
    "askbot": Generator("askbot", ASKBOT_PACKAGES, write_application, build_askbot, "html", flat),
    "hugo": Generator("hugo", DOKS_PACKAGES, write_hugo, build_hugo, "html", lambda document: f"blog/{in_folder(document)}", "npm"),
    "shuup": Generator(
        "shuup",
        SHUUP_PACKAGES,
        lambda project, _, documents: write_application(project, "shuup", documents),
        build_shuup,
        "html",
        flat,
        gold=shuup_gold,
    ),
}
MORE_THEMES = (
    Theme("redmine", "alternate", "GPL-2"),
    Theme("otterwiki", "wiki", "MIT"),
    Theme("punkweb", "bb", "BSD-3-Clause"),
    Theme("hyperkitty", "hyperkitty", "GPL-3"),
    Theme("askbot", "askbot", "GPL-3"),
    Theme("hugo", "doks", "MIT"),
    Theme("shuup", "classic-gray", "OSL-3.0"),
    Theme("zinnia", "zinnia", "BSD-3-Clause"),
)
