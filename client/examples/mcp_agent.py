"""A program that plays a level of the open round through `leitai mcp`, as a language model does.

    pip install "leitai[mcp]"
    LEITAI_URL=http://127.0.0.1:8000 LEITAI_TOKEN=leitai_... python mcp_agent.py extra

Replace `think` by your model: it gets the board and the result of the last attempt, and returns moves.
"""

import asyncio
import os
import re
import sys
from typing import Any

from mcp import Client, StdioServerParameters

from solvers.sokoban import Solved, solve


def think(board: str, last_answer: str) -> str:
    """Return moves for *board*. The library solves easy levels without numba."""
    print(f"--- {last_answer or 'first attempt'}")
    answer = solve(board)
    return answer.lurd if isinstance(answer, Solved) else ""


async def play(slot: str) -> None:
    server = StdioServerParameters(command=sys.executable, args=["-m", "leitai", "mcp"], env=dict(os.environ))
    async with Client(server) as client:

        async def call(tool: str, **arguments: Any) -> str:
            answer: Any = await client.call_tool(tool, arguments)
            text: str = answer.content[0].text
            if answer.is_error:
                sys.exit(text)
            return text

        rounds = await call("list_rounds")
        print(rounds)
        number = int(re.findall(r"^Round (\d+).* Phase: open", rounds, re.MULTILINE)[0])
        place = {"round_number": number, "slot": slot}
        level: Any = await client.read_resource(f"leitai://levels/{number}/{slot}")
        board = level.contents[0].text
        print(await call("read_level", **place))
        moves = result = ""
        for _attempt in range(3):
            moves = think(board, result)
            result = await call("try_moves", moves=moves, **place)
            if result.startswith("Solved"):
                break
        receipt = await call("submit_moves", moves=moves, **place)
        print(result, receipt, sep="\n")
        print(await call("read_receipt", receipt_id=receipt.split()[-1]))


if __name__ == "__main__":
    asyncio.run(play(sys.argv[1] if len(sys.argv) > 1 else "main"))
