"""Phrases of boilerplate amid a text, in the languages of the built sites."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BoilerplateWords:
    """Phrases of one language; each field has at least one."""

    advertisement: tuple[str, ...]
    """Labels of what is paid for."""
    slogan: tuple[str, ...]
    button: tuple[str, ...]
    related: tuple[str, ...]
    """Headings of links to other pages."""
    also: tuple[str, ...]
    """Text before one such link."""
    newsletter: tuple[str, ...]
    """Headings; the sentence below them is `newsletter_text`."""
    newsletter_text: tuple[str, ...]
    subscribe: tuple[str, ...]
    share: tuple[str, ...]
    author: tuple[str, ...]
    """Sentences about an author, with a place for the name."""
    support: tuple[str, ...]
    """Requests for money, a subscription or the use of an app."""
    poll: tuple[str, ...]
    answers: tuple[str, ...]


WORDS: dict[str, BoilerplateWords] = {
    "en": BoilerplateWords(
        ("Advertisement", "Sponsored", "Ad", "Paid content", "Promoted by our partners", "Article continues below"),
        (
            "A mattress that remembers you, not the other way round",
            "Switch your power contract in four minutes and keep the difference",
            "The ferry to the islands from 19 euros. Children travel free until September.",
            "Shoes that forgive cobblestones. Thirty days to walk in them, then decide.",
            "Your accounts, done by people who like accounts. The first month costs nothing.",
            "Coffee from nine farms, roasted on Tuesdays, with you on Thursdays. Cancel whenever you like.",
            "Does your website answer at night? Ours does. Try it without a credit card.",
            "The hearing aid that stays out of sight, fitted at home by a specialist. Ask for a free test today.",
        ),
        ("Learn more", "Shop now", "Get started", "Try it free", "Book now", "See the offer"),
        ("Related articles", "More from this section", "You may also like", "Recommended for you", "Most read", "Read next"),
        ("Read also:", "Read more:", "See also:", "Related:"),
        ("Get our newsletter", "Stay informed", "The morning letter", "Do not miss anything"),
        (
            "The five things that matter today, in your inbox before breakfast. You can leave at any time.",
            "Join 40,000 readers. By signing up you agree to our terms and privacy policy.",
        ),
        ("Subscribe", "Sign up", "Join"),
        ("Share", "Tweet", "Facebook", "WhatsApp", "Copy link", "Email", "Print", "Save for later"),
        (
            "{name} writes about coasts and the people who live there. Follow her on Mastodon.",
            "{name} is a staff writer. Contact: desk@example.com",
        ),
        (
            "We have no owners and no paywall. If you value this, please consider a small monthly contribution.",
            "This article is free because readers pay for it. Become a member for 3 a month.",
            "Read this on your phone: download our app for iOS and Android.",
        ),
        ("What do you think?", "Was this page helpful?", "Would you move to the coast?"),
        ("Yes", "No", "Not sure", "Vote", "See results"),
    ),
    "de": BoilerplateWords(
        ("Anzeige", "Werbung", "Gesponsert"),
        (
            "Strom wechseln in vier Minuten und den Unterschied behalten",
            "Mit der Fähre auf die Inseln ab 19 Euro. Kinder fahren bis September umsonst.",
            "Schuhe, die Kopfsteinpflaster verzeihen. Dreißig Tage zur Probe.",
        ),
        ("Mehr erfahren", "Jetzt bestellen", "Kostenlos testen"),
        ("Das könnte Sie auch interessieren", "Mehr zum Thema", "Meistgelesen"),
        ("Lesen Sie auch:", "Mehr dazu:"),
        ("Unser Newsletter", "Bleiben Sie auf dem Laufenden"),
        ("Das Wichtigste des Tages, jeden Morgen in Ihrem Postfach. Abmelden können Sie sich jederzeit.",),
        ("Abonnieren", "Anmelden"),
        ("Teilen", "Drucken", "Merken", "E-Mail"),
        ("{name} schreibt über die Küste und alle, die dort leben.",),
        ("Dieser Text ist frei, weil andere dafür bezahlen. Unterstützen Sie uns mit drei Euro im Monat.",),
        ("Was meinen Sie?", "War diese Seite hilfreich?"),
        ("Ja", "Nein", "Weiß nicht", "Abstimmen"),
    ),
    "fr": BoilerplateWords(
        ("Publicité", "Contenu sponsorisé"),
        (
            "Changez de contrat d'électricité en quatre minutes et gardez la différence",
            "Le bateau vers les îles dès 19 euros. Gratuit pour les enfants jusqu'en septembre.",
        ),
        ("En savoir plus", "Commander", "Essai gratuit"),
        ("À lire aussi", "Sur le même sujet", "Les plus lus"),
        ("Lire aussi :", "Voir aussi :"),
        ("Notre lettre d'information", "Ne manquez rien"),
        ("L'essentiel de l'actualité chaque matin dans votre boîte. Désinscription à tout moment.",),
        ("S'abonner", "Je m'inscris"),
        ("Partager", "Imprimer", "Enregistrer", "Envoyer"),
        ("{name} écrit sur la côte et ses habitants.",),
        ("Cet article est gratuit grâce à nos lecteurs. Soutenez-nous pour trois euros par mois.",),
        ("Qu'en pensez-vous ?", "Cette page vous a-t-elle aidé ?"),
        ("Oui", "Non", "Sans avis", "Voter"),
    ),
    "es": BoilerplateWords(
        ("Publicidad", "Contenido patrocinado"),
        ("Cambia de compañía eléctrica en cuatro minutos y quédate con la diferencia", "El barco a las islas desde 19 euros."),
        ("Más información", "Comprar ahora", "Prueba gratis"),
        ("Noticias relacionadas", "También te puede interesar", "Lo más leído"),
        ("Lee también:", "Más información:"),
        ("Suscríbete a nuestro boletín", "No te pierdas nada"),
        ("Lo más importante del día, cada mañana en tu correo. Puedes darte de baja cuando quieras.",),
        ("Suscribirme", "Apuntarme"),
        ("Compartir", "Imprimir", "Guardar", "Enviar"),
        ("{name} escribe sobre la costa y su gente.",),
        ("Este artículo es gratis gracias a nuestros lectores. Apóyanos con tres euros al mes.",),
        ("¿Qué opinas?", "¿Te ha servido esta página?"),
        ("Sí", "No", "No sé", "Votar"),
    ),
    "ru": BoilerplateWords(
        ("Реклама", "На правах рекламы"),
        ("Смените тариф на электричество за четыре минуты", "Паром на острова от 900 рублей. Детям до сентября бесплатно."),
        ("Подробнее", "Купить", "Попробовать бесплатно"),
        ("Читайте также", "По теме", "Самое читаемое"),
        ("Читайте также:", "Подробнее:"),
        ("Подпишитесь на рассылку", "Будьте в курсе"),
        ("Главное за день каждое утро в вашей почте. Отписаться можно в любой момент.",),
        ("Подписаться", "Оформить"),
        ("Поделиться", "Печать", "Сохранить", "Отправить"),
        ("{name} пишет о побережье и его жителях.",),
        ("Мы существуем благодаря читателям. Поддержите нас.",),
        ("Что вы думаете?", "Была ли страница полезной?"),
        ("Да", "Нет", "Не знаю", "Голосовать"),
    ),
    "el": BoilerplateWords(
        ("Διαφήμιση", "Χορηγούμενο"),
        ("Αλλάξτε πάροχο ρεύματος σε τέσσερα λεπτά", "Το πλοίο για τα νησιά από 19 ευρώ."),
        ("Μάθετε περισσότερα", "Αγορά"),
        ("Σχετικά άρθρα", "Δείτε ακόμη"),
        ("Διαβάστε επίσης:",),
        ("Εγγραφείτε στο ενημερωτικό δελτίο",),
        ("Τα σημαντικότερα της ημέρας κάθε πρωί στο ταχυδρομείο σας.",),
        ("Εγγραφή",),
        ("Κοινοποίηση", "Εκτύπωση", "Αποθήκευση"),
        ("Ο συντάκτης {name} γράφει για την ακτή.",),
        ("Στηρίξτε μας με τρία ευρώ τον μήνα.",),
        ("Ποια είναι η γνώμη σας;",),
        ("Ναι", "Όχι", "Ψήφος"),
    ),
    "ja": BoilerplateWords(
        ("広告", "スポンサーリンク", "PR"),
        ("電力会社の乗り換えは四分で完了。差額はあなたのものです。", "島へのフェリーは片道千円から。九月までお子さまは無料。"),
        ("詳しくはこちら", "今すぐ購入", "無料で試す"),
        ("関連記事", "あわせて読みたい", "人気の記事"),
        ("関連記事:", "こちらもおすすめ:"),
        ("メールマガジン登録", "最新情報を受け取る"),
        ("毎朝その日の重要なニュースをお届けします。いつでも解除できます。",),
        ("登録する", "購読する"),
        ("シェア", "ツイート", "印刷", "保存", "LINEで送る"),
        ("{name}。海辺の町について書いている記者。",),
        ("この記事は読者の支援によって無料で公開されています。",),
        ("この記事は役に立ちましたか。",),
        ("はい", "いいえ", "投票する"),
    ),
    "zh": BoilerplateWords(
        ("广告", "赞助内容", "推广"),
        ("四分钟更换电力合同,差价归您", "去海岛的渡轮单程十九元起,九月前儿童免费。"),
        ("了解更多", "立即购买", "免费试用"),
        ("相关阅读", "猜你喜欢", "热门文章"),
        ("延伸阅读:", "相关新闻:"),
        ("订阅我们的电子报", "不错过任何消息"),
        ("每天早晨把当天要闻发送到您的邮箱,可随时退订。",),
        ("订阅", "注册"),
        ("分享", "打印", "收藏", "微信扫一扫"),
        ("{name},记者,关注海岸与居民。",),
        ("下载客户端,随时随地阅读。关注我们的公众号。",),
        ("您怎么看?",),
        ("是", "否", "投票"),
    ),
    "ar": BoilerplateWords(
        ("إعلان", "محتوى ممول"),
        ("غيّر عقد الكهرباء في أربع دقائق واحتفظ بالفرق", "العبّارة إلى الجزر من تسعة عشر يورو. الأطفال مجانا حتى سبتمبر."),
        ("اعرف المزيد", "اشتر الآن"),
        ("مقالات ذات صلة", "قد يعجبك أيضا", "الأكثر قراءة"),
        ("اقرأ أيضا:",),
        ("اشترك في نشرتنا البريدية",),
        ("أهم أخبار اليوم كل صباح في بريدك. يمكنك إلغاء الاشتراك في أي وقت.",),
        ("اشترك",),
        ("شارك", "اطبع", "احفظ"),
        ("{name} تكتب عن الساحل وأهله.",),
        ("هذا المقال مجاني بفضل قرائنا. ادعمنا.",),
        ("ما رأيك؟",),
        ("نعم", "لا", "صوّت"),
    ),
    "hi": BoilerplateWords(
        ("विज्ञापन", "प्रायोजित"),
        ("चार मिनट में बिजली का अनुबंध बदलें और अंतर बचाएँ", "द्वीपों के लिए नाव, बच्चों के लिए सितंबर तक मुफ़्त।"),
        ("और जानें", "अभी खरीदें"),
        ("संबंधित लेख", "यह भी पढ़ें", "सबसे ज़्यादा पढ़े गए"),
        ("यह भी पढ़ें:",),
        ("हमारा समाचार पत्र पाएँ",),
        ("दिन की मुख्य खबरें हर सुबह आपके ईमेल में। आप कभी भी सदस्यता छोड़ सकते हैं।",),
        ("सदस्यता लें",),
        ("साझा करें", "प्रिंट", "सहेजें"),
        ("{name} तट और वहाँ के लोगों के बारे में लिखते हैं।",),
        ("यह लेख पाठकों के सहयोग से मुफ़्त है। हमारा साथ दें।",),
        ("आप क्या सोचते हैं?",),
        ("हाँ", "नहीं", "मत दें"),
    ),
    "bn": BoilerplateWords(
        ("বিজ্ঞাপন", "স্পনসর করা"),
        ("চার মিনিটে বিদ্যুতের চুক্তি বদলান, সাশ্রয় আপনার", "দ্বীপে যাওয়ার ফেরি, সেপ্টেম্বর পর্যন্ত শিশুদের জন্য বিনামূল্যে।"),
        ("আরও জানুন", "এখনই কিনুন"),
        ("সম্পর্কিত লেখা", "আরও পড়ুন", "সর্বাধিক পঠিত"),
        ("আরও পড়ুন:",),
        ("আমাদের নিউজলেটার পান",),
        ("দিনের প্রধান খবর প্রতিদিন সকালে আপনার ইমেইলে। যেকোনো সময় বন্ধ করতে পারেন।",),
        ("সাবস্ক্রাইব করুন",),
        ("শেয়ার করুন", "প্রিন্ট", "সংরক্ষণ"),
        ("{name} উপকূল ও সেখানকার মানুষ নিয়ে লেখেন।",),
        ("পাঠকদের সহায়তায় এই লেখা বিনামূল্যে। আমাদের পাশে থাকুন।",),
        ("আপনার মত কী?",),
        ("হ্যাঁ", "না", "ভোট দিন"),
    ),
}
"""By language code; other languages take the English ones."""
