"""Prints how a client of the official Python SDK sees the server: one JSON object on stdout."""

import asyncio
import json
import sys

import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

given = json.loads(sys.argv[1])


def data_lines(result):
    """The lines between the two marks of a fence."""
    lines = result.content[0].text.split("\n")
    end = next(index for index, line in enumerate(lines) if line.startswith("end "))
    return lines[1:end]


def http(token):
    client = httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60)
    return streamable_http_client(given["url"], http_client=client)


def target():
    if given["way"] == "http":
        return http(given["token"])
    return StdioServerParameters(command=given["command"], args=given["args"], env=given["env"])


def text_of(result):
    return result.content[0].text


def words_of(error):
    """The messages of an error, and of the errors that a task group wrapped."""
    inner = getattr(error, "exceptions", None)
    return " ".join(words_of(one) for one in inner) if inner else f"{getattr(error, 'code', '')} {error}"


async def refusal(call):
    try:
        result = await call
        return {"is_error": result.is_error, "text": text_of(result)}
    except MCPError as error:
        return {"code": error.error.code, "text": str(error)}


async def wrong_token():
    try:
        async with Client(http("trs_wrong"), mode=given["mode"]) as client:
            await client.list_tools()
            return "let in"
    except BaseException as error:  # An exception group, or whatever the transport raises.
        return words_of(error)


async def main():
    report = {}
    async with Client(target(), mode=given["mode"]) as client:
        run = lambda connection, query, **more: client.call_tool(
            "execute_query", {"connection_id": connection, "query": query}, **more
        )
        report["version"] = client.protocol_version
        report["instructions"] = client.instructions
        report["tools"] = [tool.name for tool in (await client.list_tools()).tools]
        listed = await client.call_tool("list_connections", {})
        report["connections"] = [line.split("\t")[0] for line in data_lines(listed)[1:]]
        described = await client.call_tool("describe_table", {"connection_id": "Open", "table": "planets"})
        report["columns"] = [line.split(" ")[0] for line in data_lines(described)]
        rows = await run("Open", "SELECT name FROM planets WHERE moons > 0 ORDER BY name")
        report["rows"] = [line.split("\t") for line in data_lines(rows)[1:]]
        report["resource"] = (await client.read_resource("trestle://connections")).contents[0].text
        prompt = await client.get_prompt("explain_schema", {"connection_id": "Open"})
        report["prompt"] = prompt.messages[0].content.text

        heard = []

        async def progress(done, total, message):
            heard.append(message)

        call = asyncio.create_task(run("Open", given["endless"], progress_callback=progress))
        while len(heard) < 2:
            await asyncio.sleep(0.05)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        report["progress"] = heard[0]
        report["afterCancel"] = (await run("Open", "SELECT 1")).is_error

        report["blocked"] = await refusal(run(given["blocked"], "SELECT 1"))
        report["readOnly"] = await refusal(run("Read only", "UPDATE planets SET moons = 9 WHERE moons = 1"))
        report["asks"] = await refusal(run("Asks", "SELECT 1"))
        report["wrong"] = await refusal(run("Open", "SELECT * FROM nowhere"))
        if client.protocol_version >= "2026-07-28":
            uri = f"trestle://connections/{given['open']}/tables"
            async with client.listen(resource_subscriptions=[uri]) as subscription:
                await run("Open", f"CREATE TABLE {given['table']} (a)")
                event = await asyncio.wait_for(anext(aiter(subscription)), 100)
                report["event"] = str(getattr(event, "uri", event))
    if given["way"] == "http":
        report["unauthenticated"] = await wrong_token()
    if given["lockOut"]:
        for _ in range(6):
            report["lockedOut"] = await wrong_token()
    print(json.dumps(report))


asyncio.run(main())
