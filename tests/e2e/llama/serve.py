"""Serves a random-weight model with llama.cpp's own server on a free port, and prints READY with its address."""

import argparse
import json
import os
import signal
import tempfile
import urllib.request

import xllamacpp

import make_model


def parameters(path, args):
    """One thread, so that the browser keeps the other core; no prompt cache unless it is asked for, so that every
    request does the same work."""
    params = xllamacpp.CommonParams()
    params.model.path = path
    params.model_alias = {"random"}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_parallel = args.slots
    params.n_ctx = args.context * args.slots
    params.fit_params = False
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.cache_prompt = args.cache_prompt
    params.cache_ram_mib = 0
    params.sampling.seed = args.seed
    params.sampling.ignore_eos = True
    params.ui = False
    params.verbosity = -1
    params.api_keys = [args.api_key] if args.api_key else []
    return params


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--slots", type=int, default=1)
    parser.add_argument("--context", type=int, default=2048, help="tokens of each slot")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cache-prompt", action="store_true", help="keep the prompts that were read")
    parser.add_argument("--api-key", help="asked of everybody")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="firstlight-llama-") as folder:
        path = os.path.join(folder, "random.gguf")
        make_model.write(path, args.layers, args.width, args.context, args.seed)
        # Returns when the model is loaded, which is mapped by then: the file's name is not needed any more.
        server = xllamacpp.Server(parameters(path, args))
    with urllib.request.urlopen(server.listening_address + "/health", timeout=30) as reply:
        assert json.load(reply)["status"] == "ok"
    print("READY", server.listening_address, flush=True)
    signal.pause()


if __name__ == "__main__":
    main()
