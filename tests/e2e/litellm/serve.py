"""Puts LiteLLM's own proxy in front of an OpenAI-like server. It becomes the proxy, which says itself where it listens."""

import argparse
import json
import os
import sys
import tempfile


def models(upstream):
    """One model at the upstream; another at the address that a request names."""

    def model(name, base, **more):
        params = {"model": "openai/random", "api_base": base, "api_key": "none", **more}
        return {"model_name": name, "litellm_params": params}

    elsewhere = model("elsewhere", "http://127.0.0.1:9/v1", configurable_clientside_auth_params=["api_base"])
    return [model("random", upstream + "/v1"), elsewhere]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("upstream", help="origin of the server behind it")
    parser.add_argument("key", help="the key that it asks for")
    args = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="firstlight-litellm-")
    config = os.path.join(folder, "config.yaml")
    with open(config, "w") as file:
        # JSON is YAML. A second attempt would hide a failure.
        json.dump({"model_list": models(args.upstream), "litellm_settings": {"num_retries": 0}}, file)
    # Nothing of the person's own: keys, databases, proxies.
    env = {name: os.environ[name] for name in ("PATH", "TMPDIR", "LANG") if name in os.environ}
    env |= {
        "HOME": folder,
        "LITELLM_MASTER_KEY": args.key,
        # The prices of models would be fetched.
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    }
    os.chdir(folder)
    program = os.path.join(os.path.dirname(sys.executable), "litellm")
    options = ["--config", config, "--host", "127.0.0.1", "--port", "0", "--telemetry", "False"]
    os.execve(program, [program, *options], env)


if __name__ == "__main__":
    main()
