"""The demo site: a small fictional newspaper in five scripts, as a mapping from paths to responses of a server.

It imports nothing of ours and serves nothing itself; its server looks a request's path up in the mapping.
"""

from sightread.data.demo.site import HELD_OUT, ODD_PAGES, Resource, article_paths, build_site

__all__ = ["HELD_OUT", "ODD_PAGES", "Resource", "article_paths", "build_site"]
