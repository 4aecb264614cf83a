"""Settings of further applications of Django: a help desk's tickets (django-helpdesk).

Of each: settings, addresses, and the code that puts the documents in; `communities` runs them.
"""

from __future__ import annotations

_HELPDESK_SETTINGS = """
INSTALLED_APPS = ["django.contrib.admin", *(name for name in DJANGO if name != "django.contrib.flatpages"), "rest_framework", "helpdesk"]
MIDDLEWARE += ["django.middleware.locale.LocaleMiddleware"]
PROCESSORS += ["django.template.context_processors.debug"]
LANGUAGE_CODE = json.load(open(BASE_DIR / "documents.json"))[0]["language"]
LANGUAGES = [(LANGUAGE_CODE, LANGUAGE_CODE)]
HELPDESK_TEAMS_MODE_ENABLED = HELPDESK_USE_CDN = False
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
"""
_HELPDESK_ADDRESSES = """
from django.urls import include, path
urlpatterns = [path("", include("helpdesk.urls"))]
"""
_HELPDESK_FILL = """
from django.contrib.auth import get_user_model
from helpdesk.models import FollowUp, Queue, Ticket
staff = [get_user_model().objects.create_user(name, first_name=name.title(), last_name="Quay") for name in ("ada", "bela", "chidi")]
queues = [Queue.objects.create(title=name, slug=name.lower(), allow_public_submission=True) for name in ("Harbour", "Ferries", "Workshop")]
for number, document in enumerate(DOCUMENTS):
    when = datetime.datetime.fromisoformat(document["published"] + "T08:00:00+00:00")
    first, *others = document["posts_text"]
    ticket = Ticket.objects.create(title=document["title"], queue=queues[number % 3], submitter_email="emil@example.org", description=first,
      status=1 + number % 4, priority=1 + number % 5, secret_key="known-to-all")
    for place, text in enumerate(others):
        FollowUp.objects.create(ticket=ticket, user=staff[(number + place) % 3], title="Comment", comment=text, public=True,
          date=when + datetime.timedelta(hours=5 * place + 3))
    Ticket.objects.filter(pk=ticket.pk).update(created=when, modified=when)  # a comment writes it again
    ADDRESSES[document["slug"]] = "/view/?ticket=%s&email=emil@example.org&key=known-to-all" % ticket.ticket_for_url
"""
BUILT_APPLICATIONS = {
    "helpdesk": (_HELPDESK_SETTINGS, _HELPDESK_ADDRESSES, _HELPDESK_FILL),
}
