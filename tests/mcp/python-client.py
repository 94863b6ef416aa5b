"""The official Python client through the bridge. JSON on stdin says what to connect to."""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


def field(value, *names):
    for name in names:
        if hasattr(value, name):
            return getattr(value, name)
    raise AttributeError(names[0])


async def main():
    given = json.load(sys.stdin)
    server = StdioServerParameters(command=given["command"], args=given["args"], cwd=given["cwd"])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        started = await session.initialize()
        tools = [tool.name for tool in (await session.list_tools()).tools]
        listed = await session.call_tool("list_connections", {})
        query = {"connection_id": given["connection"], "query": "SELECT 40 + 2"}
        answer = await session.call_tool("execute_query", query)
        progressed = asyncio.Event()
        steps = []

        async def on_progress(progress, total, message):
            steps.append(progress)
            progressed.set()

        endless = {"connection_id": given["connection"], "query": given["endless"]}
        call = asyncio.create_task(session.call_tool("execute_query", endless, progress_callback=on_progress))
        await asyncio.wait_for(progressed.wait(), 100)
        call.cancel()
        try:
            await call
            cancelled = False
        except asyncio.CancelledError:
            cancelled = True
        print(
            json.dumps(
                {
                    "protocol": str(field(started, "protocol_version", "protocolVersion")),
                    "tools": tools,
                    "connections": listed.content[0].text,
                    "rows": answer.content[0].text,
                    "progress": len(steps),
                    "cancelled": cancelled,
                }
            )
        )


asyncio.run(main())
