"""Aligned time stamps (docs/aligned.md) in FastAPI: the stage times of each answer, and a clock to ask. Run: python serve.py [PORT]"""

import asyncio
import json
import sys
import time
import uuid

import uvicorn
from fastapi import FastAPI, Request
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import JSONResponse, StreamingResponse

CLOCK = uuid.uuid4().hex  # New for every process: each worker has a clock of its own.
HEADERS = {"Cache-Control": "no-store", "Timing-Allow-Origin": "*"}


def now_us():
    return time.monotonic_ns() // 1000


class Received:
    """Stamps every request first thing, before anything else of the application runs."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        scope["received_us"] = now_us()
        await self.app(scope, receive, send)


app = FastAPI()
app.add_middleware(CORSMiddleware, allow_origins=["*"], allow_headers=["*"], expose_headers=["Server-Timing"])
app.add_middleware(Received)  # The last one added is the outermost.


@app.get("/clock")
async def clock(request: Request):
    times = {"clock": CLOCK, "received_us": request.scope["received_us"], "sent_us": now_us()}
    return JSONResponse(times, headers=HEADERS)


async def tokens():
    """Stands for the model."""
    for word in ["Light", " is", " scattered", " by", " air."]:
        await asyncio.sleep(0.02)
        yield word


slots = asyncio.Semaphore(4)


@app.post("/v1/chat/completions")
async def chat(request: Request):
    stages = {"clock": CLOCK, "received_us": request.scope["received_us"]}
    body = await request.json()
    stages["queued_us"] = now_us()

    async def answer():
        async with slots:
            stages["started_us"] = now_us()
            async for token in tokens():
                stages["last_token_us"] = now_us()
                stages.setdefault("first_token_us", stages["last_token_us"])
                yield token

    if not body.get("stream"):
        text = "".join([token async for token in answer()])
        stages["last_token_us"] = now_us()
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        return JSONResponse({"object": "chat.completion", "choices": [choice], "firstlight": stages}, headers=HEADERS)

    def event(choices, **more):
        return f"data: {json.dumps({'object': 'chat.completion.chunk', 'choices': choices, **more})}\n\n"

    async def stream():
        async for token in answer():
            yield event([{"index": 0, "delta": {"content": token}, "finish_reason": None}])
        yield event([{"index": 0, "delta": {}, "finish_reason": "stop"}])
        yield event([], firstlight=stages)
        yield "data: [DONE]\n\n"

    return StreamingResponse(stream(), media_type="text/event-stream", headers=HEADERS)


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]) if len(sys.argv) > 1 else 8000)
