"""The word lists of the demo town: subjects, deeds, remarks, places, goods.

Lists that are combined in one sentence have lengths without a common factor, so that combinations repeat only
after hours: 17 x 19 x 13 headlines with their openings, 13 x 17 places.
"""

SUBJECTS = (
    "The harbour library",
    "A school orchestra",
    "The night market",
    "The old observatory",
    "The corner bakery",
    "A ferry captain",
    "The botanical garden",
    "The chess club",
    "A young inventor",
    "The tram company",
    "The puppet theatre",
    "The weather station",
    "A family of beavers",
    "The village choir",
    "The lighthouse keeper",
    "The repair café",
    "The model railway",
)

DEEDS = (
    "opens the doors at dawn",
    "wins a prize for patience",
    "finds a map from 1783",
    "lends out a thousand umbrellas",
    "moves across the river",
    "plays to a full house",
    "counts more visitors than ever",
    "invites everybody to breakfast",
    "paints the bridge blue",
    "publishes a secret recipe",
    "plants four hundred trees",
    "builds a clock from bicycles",
    "discovers a quiet corner",
    "celebrates a hundredth year",
    "starts a walk by moonlight",
    "answers every single letter",
    "trades a piano for a boat",
    "teaches pigeons to queue",
    "saves the last cinema",
)

TOPICS = ("Town", "Culture", "Science", "Harbour", "Weather", "School", "Market")

OPENINGS = (
    "Nobody had expected it so early in the year.",
    "The plan was drawn on a napkin, and the napkin is on show in the town hall.",
    "It took eleven people, two ladders and a long afternoon.",
    "Neighbours brought soup, chairs and a great deal of advice.",
    "The mayor called it the best news since the new ferry.",
    "What began as a wager has become a habit.",
    "Rain was forecast, but the sun had other plans.",
    "A small crowd had gathered before the first bell.",
    "The idea came from a letter found in a drawer.",
    "For once the tide and the timetable agreed.",
    "Three generations worked on it side by side.",
    "The first attempt failed, cheerfully.",
    "Even the gulls kept quiet for a minute.",
)

REMARKS = (
    "Visitors are welcome until Sunday.",
    "A second round follows next week.",
    "Tickets are free; bring a friend.",
    "The street stays closed until the evening.",
    "More helpers are wanted for the autumn.",
    "The figures will be published on Monday.",
    "A brass band plays from six o'clock.",
    "The council votes on it in a fortnight.",
    "Photographs hang in the library.",
    "It smells of cinnamon all the way to the pier.",
    "There is talk of making it a tradition.",
)

UPDATES = (
    "the organisers thank more than two hundred guests.",
    "the start has been moved to nine o'clock.",
    "a missing key was found in a teapot.",
    "the neighbouring town wants to take part.",
    "the ferry runs an hour longer tonight.",
    "a witness remembers it differently.",
    "the last seats are gone.",
)

MANNERS = (
    "Quiet",
    "Curious",
    "Forgotten",
    "Sunny",
    "Handmade",
    "Weekend",
    "Crooked",
    "Borrowed",
    "Early",
    "Windy",
    "Little",
    "Secret",
    "Slow",
)

PLACES = (
    "walks along the canal",
    "recipes from the quay",
    "maps of the hills",
    "songs for rowing",
    "clocks and how to mend them",
    "gardens behind walls",
    "birds of the breakwater",
    "stairs of the old town",
    "letters to the editor",
    "boats for sale",
    "puzzles for trams",
    "lanterns and kites",
    "cellars with echoes",
    "benches with a view",
    "stories about fog",
    "shops that sell buttons",
    "photographs of doors",
)

BLURBS = (
    "Collected over thirty years by one patient person.",
    "Updated whenever the weather allows.",
    "Small, tidy and surprisingly complete.",
    "With drawings, distances and a warning about geese.",
    "Everything you wanted to know, and the rest as well.",
    "A favourite of the night shift.",
    "Read it twice; the second half explains the first.",
)

# Each entry: name, usual price in euro.
GOODS = (
    ("Storm lantern", 34.90),
    ("Enamel teapot", 27.50),
    ("Rope, 20 m", 18.20),
    ("Folding kayak", 689.00),
    ("Wool blanket", 74.00),
    ("Brass compass", 42.80),
    ("Garden shears", 23.40),
    ("Field glasses", 159.00),
    ("Sourdough starter", 4.60),
    ("Rain coat", 98.00),
)

# Goods that are offered for a few steps, with their usual price.
OFFERS = (
    ("Box of buttons", 6.30),
    ("Used accordion", 240.00),
    ("Ship in a bottle", 58.00),
    ("Seed potatoes, 5 kg", 9.80),
    ("Left-handed scissors", 16.40),
    ("Weather cock", 132.00),
    ("Bicycle bell", 11.90),
)
