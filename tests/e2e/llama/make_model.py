"""Writes a llama-architecture GGUF with random weights: a real engine's full work, in a file that needs no download."""

import argparse

import gguf
import numpy as np

# Whole words, so that a random answer reads as words; single bytes follow, so that every prompt can be tokenised.
WORDS = (
    "the of and to in is was he for it with as his on be at by had not are but from or have an they which one you were "
    "all her she there would their we him been has when who will no more if out so up said what its about than into them "
    "can only other time new some could these two may first then do any like my now over such our man me even most made "
    "after also did many off before must well back through years much where your way down should because long each just "
    "state those people too mr how little good world make very year still see own work men day get here between both "
    "light sky blue wave air short bright scatter far sun eye colour dawn red path more small cloud water wind night"
).split()
CONTROL = ("<unk>", "<s>", "</s>")
TEMPLATE = (
    "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}assistant:{% endif %}"
)


def vocabulary():
    """Tokens, scores and types in the order of their numbers."""
    kinds = gguf.TokenType
    words = ["\u2581" + word for word in dict.fromkeys(WORDS)]
    letters = [chr(c) for c in range(33, 127)] + ["\u2581"]
    rows = [(CONTROL[0], 0.0, kinds.UNKNOWN)] + [(c, 0.0, kinds.CONTROL) for c in CONTROL[1:]]
    rows += [(f"<0x{byte:02X}>", 0.0, kinds.BYTE) for byte in range(256)]
    rows += [(word, -float(at + 1), kinds.NORMAL) for at, word in enumerate(words)]
    rows += [(letter, -1000.0 - at, kinds.NORMAL) for at, letter in enumerate(letters)]
    return [list(column) for column in zip(*rows)]


def write(path, layers, width, context, seed):
    """Writes the model to `path`."""
    tokens, scores, types = vocabulary()
    rng = np.random.default_rng(seed)
    heads, hidden = max(1, width // 32), width * 3

    def weight(*shape):
        return (rng.standard_normal(shape) * 0.05).astype(np.float32)

    out = gguf.GGUFWriter(path, "llama")
    out.add_name("random weights")
    out.add_context_length(context)
    out.add_embedding_length(width)
    out.add_block_count(layers)
    out.add_feed_forward_length(hidden)
    out.add_head_count(heads)
    out.add_head_count_kv(heads)
    out.add_rope_dimension_count(width // heads)
    out.add_layer_norm_rms_eps(1e-5)
    out.add_vocab_size(len(tokens))
    out.add_file_type(gguf.LlamaFileType.ALL_F32)
    out.add_tokenizer_model("llama")
    out.add_token_list(tokens)
    out.add_token_scores(scores)
    out.add_token_types(types)
    out.add_unk_token_id(0)
    out.add_bos_token_id(1)
    out.add_eos_token_id(2)
    out.add_chat_template(TEMPLATE)
    embedding, head = weight(len(tokens), width), weight(len(tokens), width)
    # Every token carries the first direction, and the head speaks against it for all that is not a word: answers are words.
    embedding[:, 0] = 1.0
    head[:, 0] = [0.0 if len(token) > 1 and kind == gguf.TokenType.NORMAL else -8.0 for token, kind in zip(tokens, types)]
    out.add_tensor("token_embd.weight", embedding)
    for layer in range(layers):
        name = f"blk.{layer}."
        for part in ("attn_norm", "ffn_norm"):
            out.add_tensor(f"{name}{part}.weight", np.ones(width, np.float32))
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            out.add_tensor(f"{name}{part}.weight", weight(width, width))
        out.add_tensor(f"{name}ffn_gate.weight", weight(hidden, width))
        out.add_tensor(f"{name}ffn_up.weight", weight(hidden, width))
        out.add_tensor(f"{name}ffn_down.weight", weight(width, hidden))
    out.add_tensor("output_norm.weight", np.ones(width, np.float32))
    out.add_tensor("output.weight", head)
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path")
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--context", type=int, default=8192)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    write(args.path, args.layers, args.width, args.context, args.seed)
