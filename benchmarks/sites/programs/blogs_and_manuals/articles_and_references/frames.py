"""Frames of the pages of `design_systems`: markup of their components, with names of `string.Template`."""

from __future__ import annotations

LAW = """<!DOCTYPE html>
<html lang="$language"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title | $name</title><link rel="stylesheet" href="bi/css/bootstrap-italia.min.css"></head><body>
<header class="it-header-wrapper"><div class="it-header-slim-wrapper"><div class="container"><div class="it-header-slim-wrapper-content">
<a class="navbar-brand" href="/">Assembly of the coast</a><div class="it-header-slim-right-zone">
<a class="btn btn-primary btn-full" href="/in">
Personal area</a></div></div></div></div>
<div class="it-nav-wrapper"><div class="it-header-center-wrapper"><div class="container"><div class="it-header-center-content-wrapper">
<div class="it-brand-wrapper"><a href="/"><div class="it-brand-text"><div class="it-brand-title">$name</div>
<div class="it-brand-tagline">Laws and decrees in force</div></div></a></div><div class="it-right-zone"><div class="it-search-wrapper">
<span>Search the laws</span></div></div></div></div></div>
<div class="it-header-navbar-wrapper"><div class="container"><nav class="navbar navbar-expand-lg"><ul class="navbar-nav d-flex flex-row">
<li class="nav-item"><a class="nav-link active" href="/acts">Acts</a></li><li class="nav-item">
<a class="nav-link" href="/years">By year</a></li>
<li class="nav-item"><a class="nav-link" href="/matters">By matter</a></li><li class="nav-item"><a class="nav-link" href="/help">Help</a>
</li>
</ul></nav></div></div></div></header>
<main class="container my-4"><nav class="breadcrumb-container"><ol class="breadcrumb"><li class="breadcrumb-item"><a href="/">Home</a>
<span class="separator">/</span></li><li class="breadcrumb-item"><a href="/matters">$land</a><span class="separator">/</span></li>
<li class="breadcrumb-item active">$act</li></ol></nav>
<div class="row"><aside class="col-lg-3"><div class="sidebar-wrapper"><h3>Index of the act</h3><div class="sidebar-linklist-wrapper">
<div class="link-list-wrapper"><ul class="link-list">$index</ul></div></div></div><div class="callout">
<div class="callout-title">In force</div>
<p>Published in the gazette on $day</p></div></aside>

div class="col-lg-9"><div class="mb-3"><span class="badge bg-secondary">$act</span> <a class="btn btn-outline-primary btn-xs" href="#print">
Print</a> <a class="btn btn-outline-primary btn-xs" href="#pdf">PDF</a> <a class="btn btn-outline-primary btn-xs" href="#versions">
Earlier versions</a></div><article><h1>$title</h1><p class="lead">$summary</p>$body</article></div></div>
<section class="mt-5"><h2 class="h5">Acts on the same matter</h2><ul>$near</ul></section></main>
<footer class="it-footer"><div class="it-footer-main"><div class="container py-4"><p><strong>$name</strong>, office of the gazette,
12 Quay Street</p><ul class="list-inline"><li class="list-inline-item"><a href="/privacy">Privacy</a></li><li class="list-inline-item">
<a href="/access">Accessibility</a></li></ul></div></div></footer></body></html>
"""
PRESS = """<!DOCTYPE html>
<html lang="$language"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title | $name</title><link rel="stylesheet" href="css/uswds.min.css"></head><body>
<section class="usa-banner"><div class="usa-accordion"><header class="usa-banner__header"><div class="usa-banner__inner">
<div class="grid-col-auto"><img class="usa-banner__header-flag" src="img/us_flag_small.png" alt=""></div><div class="grid-col-fill">
<p class="usa-banner__header-text">An official website of the institute</p></div></div></header></div></section>
<header class="usa-header usa-header--extended"><div class="usa-navbar"><div class="usa-logo"><em class="usa-logo__text"><a href="/">
$name Institute for Coastal Research</a></em></div></div><nav class="usa-nav"><div class="usa-nav__inner">
<ul class="usa-nav__primary usa-accordion"><li class="usa-nav__primary-item"><a class="usa-nav-link" href="/research">
<span>Research</span></a>
</li><li class="usa-nav__primary-item"><a class="usa-nav-link usa-current" href="/news"><span>Newsroom</span></a></li>
<li class="usa-nav__primary-item"><a class="usa-nav-link" href="/people"><span>People</span></a></li></ul>
<div class="usa-nav__secondary"><ul class="usa-nav__secondary-links"><li class="usa-nav__secondary-item">
<a href="/press">For the press</a></li>
<li class="usa-nav__secondary-item"><a href="/jobs">Careers</a></li></ul><form class="usa-search usa-search--small">
<input class="usa-input" type="search"><button class="usa-button" type="submit">Search</button></form></div></div></nav></header>
<main class="usa-section"><div class="grid-container"><nav class="usa-breadcrumb"><ol class="usa-breadcrumb__list">
<li class="usa-breadcrumb__list-item"><a class="usa-breadcrumb__link" href="/">Home</a></li><li class="usa-breadcrumb__list-item">
<a class="usa-breadcrumb__link" href="/news">Newsroom</a></li><li class="usa-breadcrumb__list-item usa-current"><span>Release $number</span>
</li></ol></nav><div class="grid-row grid-gap"><div class="desktop:grid-col-8 usa-prose"><p>
<span class="usa-tag">Press release $number</span>
<span class="text-base">For immediate release, $day</span></p><article><h1>$title</h1><p class="usa-intro">$summary</p>$body</article>
<p class="text-center">###</p><div class="usa-summary-box"><div class="usa-summary-box__body"><h3 class="usa-summary-box__heading">
Media contact</h3><div class="usa-summary-box__text">Bela Moore, press@example.org, telephone 0555 0102</div></div></div>
<p>Share: <a href="#mail">Mail</a> <a href="#post">Post</a> <a href="#print">Print</a></p></div>
<aside class="desktop:grid-col-4"><h2 class="font-heading-md">More releases</h2><ul class="usa-collection">$near</ul>
<h2 class="font-heading-md">Subscribe</h2><p>Releases by mail, once per week.</p><input class="usa-input">
<button class="usa-button">Subscribe
</button></aside></div></div></main>
<footer class="usa-footer usa-footer--slim"><div class="usa-footer__primary-section"><div class="grid-container"><ul>
<li><a class="usa-footer__primary-link" href="/about">About the institute</a></li><li><a class="usa-footer__primary-link" href="/privacy">
Privacy</a></li></ul></div></div><div class="usa-footer__secondary-section"><div class="grid-container"><p>$name Institute, 12 Quay Street
</p></div></div></footer></body></html>
"""
JOURNAL = """<!DOCTYPE html>
<html lang="$language"><head><meta charset="utf-8"><title>$title, $name</title><link rel="stylesheet" href="latex/style.css"><style>
.journal { display: flex; justify-content: space-between; border-bottom: 1px solid #888; font-size: .85rem; padding: .4rem 0 }
.journal a, .below a { margin-right: 1rem } .below { border-top: 1px solid #888; font-size: .85rem; margin-top: 3rem }
.cite { background: #f3f3ef; padding: .6rem 1rem; font-size: .85rem } table { width: 100% }
td, th { text-align: left; padding: .2rem .5rem }
</style></head><body class="text-justify"><div class="journal"><span><a href="/">$name: a journal of ports</a><a href="/issues">Issues</a>
<a href="/authors">For authors</a></span><span>Volume 12, paper $number, pages from $page</span></div>
<article><h1>$title</h1><p class="author">Ada Quay and Bela Moore<br>Institute of Ports<br>$day</p>
<div class="abstract"><h2>Abstract</h2><p>$summary</p></div>$body</article>
<div class="cite"><b>Cite this paper</b><br>A. Quay, B. Moore, paper $number of volume 12. <a href="#bib">BibTeX</a> <a href="#ris">RIS</a>
<a href="#pdf">PDF</a></div><div class="below"><p><b>Also in this volume</b></p><ul>$near</ul>
<p>$name, ISSN 0000-0000, edited at the Institute of Ports. <a href="/imprint">Imprint</a></p></div></body></html>
"""
QUESTIONS = """<!DOCTYPE html>
<html lang="$language"><head><meta charset="utf-8"><title>$title - $name Help</title><link rel="stylesheet" href="ui/semantic.min.css">
<style>body { background: #f7f8fa } .ui.vertical.masthead { padding: 2em 0; margin: 0 }</style></head><body>
<div class="ui inverted blue vertical masthead center aligned segment"><div class="ui container"><div class="ui inverted secondary menu">
<a class="header item" href="/">$name Help</a><a class="item" href="/topics">Topics</a><a class="item" href="/status">Status</a>
<div class="right menu"><a class="item" href="/ticket">Submit a request</a><a class="item" href="/in">Sign in</a></div></div>
<h2 class="ui inverted header">How can we help?</h2><div class="ui icon input"><input placeholder="Search the answers"></div></div></div>
<div class="ui container" style="padding: 2em 0"><div class="ui breadcrumb"><a class="section" href="/">Help</a><div class="divider">/</div>
<a class="section" href="/topics">Topics</a></div><div class="ui stackable grid"><div class="four wide column">
<div class="ui vertical fluid menu"><div class="header item">In this topic</div>$near</div><div class="ui message">
<div class="header">Still stuck?</div><p>Our desk answers within a day.</p><a class="ui button" href="/ticket">Write to us</a></div></div>
<div class="twelve wide column"><h1 class="ui header">$title</h1><p>$summary</p>$body<div class="ui secondary center aligned segment">
<p>Was this page helpful?</p><button class="ui basic button">Yes</button><button class="ui basic button">No</button>
<p>31 of 40 found it helpful. Updated $day</p></div></div></div></div>
<div class="ui inverted vertical footer segment"><div class="ui container">$name, 12 Quay Street. <a href="/terms">Terms</a>
<a href="/privacy">Privacy</a></div></div></body></html>
"""
RELEASE = """<!DOCTYPE html>
<html lang="$language"><head><meta charset="utf-8"><title>$version - $name releases</title><link rel="stylesheet" href="spectre.min.css">
<link rel="stylesheet" href="spectre-exp.min.css"><link rel="stylesheet" href="spectre-icons.min.css"></head><body>
<div class="container grid-lg"><header class="navbar py-2"><section class="navbar-section">
<a class="navbar-brand mr-2 text-bold" href="/">$name
</a><a class="btn btn-link" href="/docs">Docs</a><a class="btn btn-link" href="/releases">Releases</a>
<a class="btn btn-link" href="/blog">Blog
</a></section><section class="navbar-section"><div class="input-group input-inline"><input class="form-input" placeholder="Search"><button
class="btn btn-primary input-group-btn">Search</button></div></section></header>
<div class="columns"><div class="column col-3"><ul class="nav"><li class="nav-item"><a href="/releases">All versions</a>
<ul class="nav">$near
</ul></li></ul><div class="card"><div class="card-header"><div class="card-title h6">Feeds</div></div><div class="card-body">
<a href="/releases.atom">Atom</a> <a href="/mail">By mail</a></div></div></div>
<div class="column col-9"><ul class="breadcrumb"><li class="breadcrumb-item"><a href="/">Home</a></li><li class="breadcrumb-item">
<a href="/releases">Releases</a></li></ul><div class="tile tile-centered"><div class="tile-icon"><figure class="avatar" data-initial="AQ">
</figure></div><div class="tile-content text-gray">Ada Quay released this on $day <span class="chip">stable</span></div></div>
<h1>$version: $title</h1><p class="lead">$summary</p>$body
<div class="panel mt-2"><div class="panel-header"><div class="panel-title h6">Assets</div></div><div class="panel-body">
<a href="/tide-$version.tar.gz">tide-$version.tar.gz</a> 4.1 MB<br><a href="/tide-$version.sig">tide-$version.sig</a></div></div>
<ul class="pagination"><li class="page-item page-prev"><a href="$before.html">Newer release</a></li><li class="page-item page-next">
<a href="$next.html">Older release</a></li></ul></div></div>
<footer class="text-center text-gray py-2">$name, free software since 2003. <a href="/licence">Licence</a></footer></div></body></html>
"""
COMPANY = """<!DOCTYPE html>
<html lang="$language"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title | $name</title><link rel="stylesheet" href="css/bootstrap.min.css"><link rel="stylesheet" href="css/froala_blocks.min.css">
</head>
<body><header class="fdb-block"><div class="container"><nav class="navbar navbar-expand-md no-gutters"><div class="col-3 text-left">
<a class="navbar-brand" href="/">$name</a></div><div class="col-6"><ul class="navbar-nav justify-content-center">
<li class="nav-item active">
<a class="nav-link" href="/">Home</a></li><li class="nav-item"><a class="nav-link" href="/services">Services</a></li><li class="nav-item">
<a class="nav-link" href="/prices">Prices</a></li><li class="nav-item"><a class="nav-link" href="/team">Team</a></li></ul></div>
<div class="col-3 text-right"><a class="btn btn-outline-primary" href="/call">Call us</a></div></nav></div></header>
<section class="fdb-block py-5" style="background-image: url(imgs/hero/blue.svg)"><div class="container py-5"><div class="row">
<div class="col-12 col-md-8 text-left"><h1>$title</h1><p class="lead">$summary</p><p><a class="btn btn-primary" href="/start">Start now</a>
<a class="btn btn-white" href="/tour">See a tour</a></p></div></div></div></section>
<section class="fdb-block"><div class="container"><div class="row text-center"><div class="col-12"><h1>$heading</h1>
<p class="lead">$lead</p></div>
</div><div class="row text-center mt-4">$body</div></div></section>
<section class="fdb-block bg-gray"><div class="container"><div class="row"><div class="col-12"><h2>From our journal</h2></div></div>
<div class="row mt-4">$near</div></div></section>
<section class="fdb-block"><div class="container"><div class="row justify-content-center"><div class="col-12 col-lg-8 text-center">
<h2>Talk to us</h2><div class="input-group mt-4"><input class="form-control" placeholder="Your mail">
<button class="btn btn-primary">Send</button>
</div></div></div></div></section>
<footer class="fdb-block footer-small bg-dark"><div class="container"><div class="row align-items-center"><div class="col-12 col-md-8">
<ul class="nav"><li class="nav-item"><a class="nav-link active" href="/terms">Terms</a></li><li class="nav-item">
<a class="nav-link" href="/privacy">Privacy</a></li></ul></div><div class="col-12 col-md-4 text-right">$name, 12 Quay Street</div></div>
</div>
</footer></body></html>
"""
SERVICES = """<!DOCTYPE html>
<html lang="$language"><head><meta charset="utf-8"><title>$title | $name Shipyard</title><link rel="stylesheet" href="uikit.min.css">
<style>.uk-table th { text-transform: none }</style></head><body>
<div class="uk-background-secondary uk-light uk-padding-small uk-text-small"><div class="uk-container">Open Monday to Friday, 8 to 17
<span class="uk-margin-left">0555 0102</span><a class="uk-margin-left" href="/en">English</a></div></div>
<nav class="uk-navbar-container"><div class="uk-container"><div class="uk-navbar" style="display: flex"><div class="uk-navbar-left">
<a class="uk-navbar-item uk-logo" href="/">$name Shipyard</a><ul class="uk-navbar-nav"><li class="uk-active">
<a href="/services">Services</a></li>
<li><a href="/fleet">Fleet</a></li><li><a href="/about">About us</a></li><li><a href="/jobs">Jobs</a></li></ul></div>
<div class="uk-navbar-right" style="margin-left: auto"><a class="uk-button uk-button-primary" href="/offer">Get an offer</a></div></div>
</div></nav>
<div class="uk-section uk-section-primary uk-light"><div class="uk-container"><ul class="uk-breadcrumb"><li><a href="/">Home</a></li>
<li><a href="/services">Services</a></li></ul><h1 class="uk-heading-medium">$title</h1><p class="uk-text-lead">$summary</p></div></div>
<div class="uk-section"><div class="uk-container"><div class="uk-grid"><div class="uk-width-3-4"><div class="uk-article">$body</div></div>
<div class="uk-width-1-4"><h4>Our services</h4><ul class="uk-nav uk-nav-default uk-nav-divider">$near</ul>
<div class="uk-card uk-card-default uk-card-body uk-margin-top"><h4 class="uk-card-title">Your contact</h4>
<p>Bela Moore, head of the yard</p>
<a class="uk-button uk-button-default" href="/write">Write</a></div></div></div></div></div>
<div class="uk-section uk-section-muted uk-section-small"><div class="uk-container"><h3>Known from</h3>
<p>Harbour Post, Sea Radio, The Keel</p></div></div>
<div class="uk-section uk-section-secondary uk-section-small uk-light"><div class="uk-container">
<p>$name Shipyard, 12 Quay Street. This page was
last changed on $day.</p><ul class="uk-subnav"><li><a href="/imprint">Imprint</a></li><li><a href="/privacy">Privacy</a></li></ul></div>
</div>
</body></html>
"""
