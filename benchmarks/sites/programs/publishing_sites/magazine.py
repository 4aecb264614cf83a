"""Settings of a magazine of django CMS, with its application of stories; `communities` runs it."""

from __future__ import annotations

_SETTINGS = """
INSTALLED_APPS = ["djangocms_admin_style", "django.contrib.admin", *(name for name in DJANGO if name != "django.contrib.flatpages"),
  "cms", "menus", "treebeard", "sekizai", "filer", "easy_thumbnails", "djangocms_text", "djangocms_link", "djangocms_frontend", "parler",
  "taggit", "meta", "sortedm2m", "djangocms_stories"]
MIDDLEWARE += ["django.middleware.locale.LocaleMiddleware", "cms.middleware.user.CurrentUserMiddleware",
  "cms.middleware.page.CurrentPageMiddleware", "cms.middleware.toolbar.ToolbarMiddleware",
  "cms.middleware.language.LanguageCookieMiddleware"]
PROCESSORS += ["sekizai.context_processors.sekizai", "cms.context_processors.cms_settings", "teasers.teasers"]
TEMPLATES[0]["DIRS"] = [str(BASE_DIR / "templates")]
STATICFILES_DIRS = [str(BASE_DIR / "look")]
LANGUAGE_CODE = json.load(open(BASE_DIR / "documents.json"))[0]["language"]
LANGUAGES = [(LANGUAGE_CODE, LANGUAGE_CODE)]
CMS_TEMPLATES = [("magazine.html", "Magazine")]
CMS_CONFIRM_VERSION4 = True
X_FRAME_OPTIONS = "SAMEORIGIN"
THUMBNAIL_PROCESSORS = ["easy_thumbnails.processors.colorspace", "filer.thumbnail_processors.scale_and_crop_with_subject_location"]
META_SITE_PROTOCOL, META_SITE_DOMAIN, META_USE_SITES = "http", "127.0.0.1", True
STORIES_USE_PLACEHOLDER = STORIES_AUTO_SETUP = False
"""
_ADDRESSES = """
from django.urls import include, path
urlpatterns = [path("", include("cms.urls"))]
"""
_FILL = """
from cms.api import create_page
from django.conf import settings
from django.contrib.auth import get_user_model
from djangocms_stories.models import Post, PostCategory, PostContent, StoriesConfig
language = settings.LANGUAGE_CODE
author = get_user_model().objects.create_user("ada", first_name="Ada", last_name="Quay")
config = StoriesConfig.objects.create(namespace="stories", type="djangocms_stories.cms_apps.StoriesApp", app_title="Stories",
  object_name="Story", url_patterns="slug", use_placeholder=False, use_abstract=True, set_author=True,
  menu_empty_categories=True, menu_structure="categories", sitemap_priority="0.5")
for name in ("Harbour", "Ferries", "Weather", "Contact"):
    create_page(name, "magazine.html", language, slug=name.lower(), in_navigation=True)
home = create_page("Stories", "magazine.html", language, slug="stories", apphook="StoriesApp", apphook_namespace="stories",
  in_navigation=True)
categories = [PostCategory.objects.create(name=name, slug=name.lower(), app_config=config) for name in ("Coast", "Town", "Craft")]
for number, document in enumerate(DOCUMENTS):
    when = datetime.datetime.fromisoformat(document["published"] + "T08:00:00+00:00")
    post = Post.objects.create(author=author, app_config=config, date_published=when)
    post.categories.add(categories[number % 3])
    post.tags.add(*document["tags"])
    PostContent.objects.create(post=post, language=language, title=document["title"], slug=document["slug"], subtitle=document["summary"],
      abstract="<p>%s</p>" % document["posts_text"][0][:160], post_text=document["html"])
    ADDRESSES[document["slug"]] = f"/stories/{document['slug']}/"
"""
_TEASERS = """
from djangocms_stories.models import PostContent
def teasers(request):
    found = list(PostContent.objects.order_by("post__date_published")[:12])
    return {"most_read": found[:6], "others": found[6:10]}
"""
_FRAME = """{% extends "djangocms_frontend.html" %}{% load static menu_tags %}
{% block base_css %}<link rel="stylesheet" href="{% static 'magazine.css' %}">{% endblock %}
{% block navbar %}<div class="top">{% now "j.n.Y" %} · <a href="/login/">Sign in</a>
 · <a href="/subscribe/">Subscribe for €4 a month</a></div>
<header class="paper"><a href="/">The Tide Tables</a></header><nav><ul>{% show_menu 0 0 %}</ul></nav>
<div class="paper-columns"><div class="narrow"><h4>Most read</h4><ol>{% for one in most_read %}<li><a href="{{ one.get_absolute_url }}">
{{ one.title }}</a></li>{% endfor %}</ol></div><div class="wide">{% endblock %}
{% block base_js %}</div><div class="narrow"><h4>More stories</h4>{% for one in others %}<div class="card"><b>{{ one.title }}</b>
{{ one.abstract|safe }}</div>{% endfor %}<div class="card letter"><h4>Letter from the quay</h4>Every Friday in your mail box.
<form><input> <button>Sign up</button></form></div></div></div><footer class="base">© The Tide Tables. All rights reserved.
<a href="/imprint/">Imprint</a> <a href="/privacy/">Privacy</a> <a href="/jobs/">Jobs</a></footer>{% endblock %}
"""
_STYLE = """
body { margin: 0; background: #fff; color: #111; font: 17px/1.55 "Noto Serif", serif } a { color: inherit }
.top { background: #111; color: #ccc; font: 13px sans-serif; padding: .5em 2em } .top a { color: #fff }
header.paper { text-align: center; font-size: 58px; font-weight: 900; letter-spacing: -1px; padding: .4em; border-bottom: 4px solid #b00 }
header.paper a { text-decoration: none }
nav ul { list-style: none; display: flex; gap: 2em; justify-content: center; margin: 0; padding: .8em }
nav { border-bottom: 1px solid #111; font: bold 15px sans-serif } nav a { text-decoration: none }
.paper-columns { display: grid; grid-template-columns: 200px minmax(0, 1fr) 240px; gap: 2.5em; max-width: 1220px; margin: 2em auto }
.narrow { font: 14px/1.5 sans-serif } .narrow h4 { border-top: 3px solid #b00; padding-top: .5em; color: #b00 }
.card { border-bottom: 1px solid #ddd; padding: .8em 0 } .letter { background: #f4f1ec; padding: 1em } .wide h2 { font-size: 30px }
.wide article > header h2 { font-size: 44px; line-height: 1.1; margin: 0 } article > header h3 { font-weight: 400; color: #555 }
.blog-visual img:not([width]), .blog-visual img[src=""] { display: none }
pre { direction: ltr; background: #f4f1ec; padding: 1em; overflow: auto }
td, th { border-bottom: 1px solid #ccc; padding: .4em; vertical-align: top }
blockquote { border-inline-start: 4px solid #b00; padding: 0 1em }
footer.base { background: #111; color: #ccc; padding: 2em; font: 14px sans-serif; text-align: center }
"""
"""The frame of the magazine: the program's own has no columns, and a style sheet from the network."""
MAGAZINE = (_SETTINGS, _ADDRESSES, _FILL)
MAGAZINE_FRAME = {"templates/magazine.html": _FRAME, "look/magazine.css": _STYLE, "teasers.py": _TEASERS}
