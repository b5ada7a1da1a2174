"""Episodes by openenv's own async client; run with an interpreter that has openenv.

Takes a line `URL SESSIONS EPISODES STEPS MESSAGE` and answers with seconds and seconds of CPU.
"""

import asyncio
import json
import sys
import time

from openenv.core import GenericEnvClient


async def play(url: str, sessions: int, episodes: int, steps: int, message: str) -> None:
    async def session(lane: int) -> None:
        async with GenericEnvClient(base_url=url) as env:
            for number in range(episodes):
                await env.reset(seed=lane * 100 + number)
                for _ in range(steps):
                    await env.step({"message": message})

    await asyncio.gather(*(session(lane) for lane in range(sessions)))


def main() -> None:
    for line in sys.stdin:
        url, sessions, episodes, steps, message = json.loads(line)
        wall, cpu = time.perf_counter(), time.process_time()
        asyncio.run(play(url, sessions, episodes, steps, message))
        spent = [time.perf_counter() - wall, time.process_time() - cpu]
        print(json.dumps(spent), flush=True)


if __name__ == "__main__":
    main()
