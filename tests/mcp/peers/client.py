"""A client of the Python SDK, which does what a test asks of it.

It takes a script in JSON: the server's address, or its command, the version of the protocol, and
calls. It prints what it saw, as JSON.
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters
from mcp.types import CreateMessageResult, ElicitResult, TextContent


def plain(model):
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


async def elicit(_context, params):
    return ElicitResult(action="accept", content={"name": f"who read: {params.message}"})


async def sample(_context, params):
    said = TextContent(type="text", text=f"at most {params.max_tokens}")
    return CreateMessageResult(role="assistant", content=said, model="m-1")


async def main(script) -> None:
    server = script.get("url") or StdioServerParameters(
        command=script["command"][0], args=script["command"][1:]
    )
    client = Client(server, mode=script["mode"], elicitation_callback=elicit, sampling_callback=sample)
    seen = {"outcomes": []}
    async with client:
        seen["protocol"] = str(client.protocol_version)
        seen["server"] = plain(client.server_info)
        seen["tools"] = [plain(tool) for tool in (await client.list_tools()).tools]
        for name, arguments in script["calls"]:
            told = []

            async def progress(done, total, message):
                told.append([done, total, message])

            try:
                result = plain(await client.call_tool(name, arguments, progress_callback=progress))
                outcome = {"result": result, "progress": told}
            except Exception as error:
                outcome = {"error": str(error)}
            seen["outcomes"].append(outcome)
    print(json.dumps(seen))


asyncio.run(main(json.loads(sys.argv[1])))
