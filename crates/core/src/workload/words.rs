//! Which words are generated prompts made of? 256 common English ones, so that one byte chooses one.

/// Each is one token in the common byte-pair vocabularies when a space stands before it, or nearly always so.
#[rustfmt::skip]
pub(super) const WORDS: [&str; 256] = [
    "able", "about", "above", "across", "after", "again", "age", "ago", "all", "also", "always", "and", "animal", "answer",
    "any", "area", "arm", "around", "art", "away", "baby", "back", "bag", "ball", "band", "bank", "be", "bear", "beat",
    "become", "before", "begin", "behind", "better", "big", "bird", "black", "blue", "board", "boat", "body", "both", "box",
    "boy", "break", "bring", "brother", "brown", "but", "buy", "call", "can", "card", "care", "carry", "cat", "cause",
    "center", "chair", "check", "child", "church", "city", "clean", "clear", "close", "cloud", "coat", "cold", "color",
    "common", "cook", "cool", "copy", "cost", "country", "course", "cross", "cry", "cup", "cut", "dark", "day", "deep",
    "dinner", "doctor", "dog", "door", "draw", "dream", "dress", "drink", "dry", "early", "earth", "east", "eat", "edge",
    "egg", "end", "enough", "even", "ever", "eye", "face", "fact", "fall", "far", "farm", "fast", "feel", "few", "field",
    "fight", "find", "fine", "finger", "fire", "fish", "five", "floor", "fly", "follow", "food", "foot", "forest", "form",
    "four", "friend", "from", "front", "fruit", "game", "garden", "gave", "get", "give", "glass", "go", "good", "grass",
    "great", "green", "group", "grow", "half", "hand", "hard", "have", "he", "hear", "heart", "heat", "heavy", "her",
    "here", "high", "hill", "his", "hold", "home", "hot", "hour", "house", "how", "ice", "idea", "if", "in", "iron",
    "island", "job", "jump", "just", "keep", "key", "king", "know", "lake", "land", "last", "late", "laugh", "lead",
    "learn", "leave", "left", "less", "letter", "life", "light", "line", "list", "little", "long", "look", "lost", "love",
    "machine", "make", "man", "map", "market", "me", "mean", "meet", "milk", "mind", "minute", "month", "moon", "more",
    "morning", "mother", "mouth", "move", "music", "must", "my", "name", "neck", "need", "never", "new", "night", "nine",
    "no", "nose", "note", "nothing", "now", "of", "off", "office", "oil", "on", "once", "one", "open", "or", "orange",
    "order", "our", "out", "over", "own", "paint", "paper", "part", "past", "pay", "people", "picture", "place", "plan",
    "plant",
];
