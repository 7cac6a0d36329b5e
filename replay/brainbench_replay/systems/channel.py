"""JSON-RPC 2.0 with a program, one object a line: one call at a time, call-backs in between."""

from __future__ import annotations

import json
import time
from itertools import count
from typing import TYPE_CHECKING, Any

from brainbench_replay.systems.quoting import excerpt
from brainbench_schema import strict_json
from brainbench_schema.errors import InvalidInputError, MemorySystemError

if TYPE_CHECKING:
    from collections.abc import Callable

    from brainbench_replay.systems.process import Child

MAX_STRAY_LINES = 200
"""How many lines that are no protocol a program may print to stdout between two answers."""

METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602

Params = dict[str, Any]


class RefusedError(MemorySystemError):
    """The program answered a call with an error; it still runs.

    Attributes:
        code: The JSON-RPC error code.
        said: What it said.
    """

    def __init__(self, method: str, code: int, said: str, where: str) -> None:
        self.code = code
        self.said = said
        super().__init__(
            f"{method} failed: {excerpt(said, 300)}",
            where=where,
            advice="an outage is never scored: mend it, or declare what it can't do",
        )


class Channel:
    """Calls to a program that answers on its stdout.

    Args:
        timeout_s: Time limit of each call, in seconds.
    """

    def __init__(self, child: Child, timeout_s: float) -> None:
        self._child = child
        self._timeout_s = timeout_s
        self._ids = count(1)

    def call(
        self,
        method: str,
        params: Params,
        answer: Callable[[str, Params], Params] | None = None,
    ) -> Any:
        """Call a method and wait for its result.

        Args:
            answer: Answers what the program asks meanwhile; raises LookupError for a method it
                doesn't know, ValueError for parameters that make no sense.

        Raises:
            RefusedError: It answered with an error.
            MemorySystemError: It died, hung, or wrote something that is no answer.
        """
        number = next(self._ids)
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        deadline = time.monotonic() + self._timeout_s
        while True:
            message = self._next_message(method, deadline)
            if message.get("method") == method and message.get("id") == number:
                raise self._fail(f"it gave {method} back in place of an answer")
            if "method" in message:
                self._answer(message, answer)
            elif self._is_answer(message, number, method):
                return self._read_result(message, method)

    def notify(self, method: str, params: Params) -> None:
        """Tell the program something that has no answer."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def _send(self, message: Params) -> None:
        self._child.send(json.dumps(message, ensure_ascii=False).encode() + b"\n")

    def _next_message(self, method: str, deadline: float) -> Params:
        for _ in range(MAX_STRAY_LINES):
            line = self._child.read_line(deadline)
            if line is None:
                raise self._fail(self._child.describe_end(f" before it answered {method}"))
            if line.lstrip().startswith(b"{"):
                return self._parse(line, method)
            if line.strip():
                self._refuse_binary(line, method)
                self._child.show_stray(line)
        raise self._fail(f"wrote {MAX_STRAY_LINES} lines that are no protocol during {method}")

    def _parse(self, line: bytes, method: str) -> Params:
        try:
            message = strict_json.loads(line, "answer")
        except InvalidInputError as error:
            shown = excerpt(line[:200].decode("utf-8", "backslashreplace"))
            raise self._fail(
                f"its answer to {method} is {error.faults[0].message}: {shown!r}"
            ) from None
        assert isinstance(message, dict)
        return message

    def _refuse_binary(self, line: bytes, method: str) -> None:
        try:
            line.decode()
        except UnicodeDecodeError:
            shown = excerpt(line[:60].decode("utf-8", "backslashreplace"))
            raise self._fail(f"wrote bytes that are no text during {method}: {shown!r}") from None

    def _is_answer(self, message: Params, number: int, method: str) -> bool:
        if message.get("id") == number and message.get("jsonrpc") == "2.0":
            return True
        if message.get("id") is None and "error" in message:
            return True
        raise self._fail(
            f"answered call {message.get('id')!r} while {method} was call {number}",
            advice='echo the request\'s `id`, with "jsonrpc": "2.0"; one answer a request',
        )

    def _read_result(self, message: Params, method: str) -> Any:
        if (error := message.get("error")) is not None:
            if not isinstance(error, dict):
                error = {"message": json.dumps(error)}
            code = error.get("code")
            said = str(error.get("message") or "no message")
            raise RefusedError(method, code if isinstance(code, int) else 0, said, self.where)
        if "result" not in message:
            raise self._fail(f"its answer to {method} has neither `result` nor `error`")
        return message["result"]

    def _answer(self, message: Params, answer: Callable[[str, Params], Params] | None) -> None:
        if "id" not in message:
            return
        reply: Params = {"jsonrpc": "2.0", "id": message["id"]}
        try:
            if answer is None:
                raise LookupError(message["method"])
            params = message.get("params")
            reply["result"] = answer(message["method"], params if isinstance(params, dict) else {})
        except LookupError:
            text = f"{message['method']!r} can't be called now"
            reply["error"] = {"code": METHOD_NOT_FOUND, "message": text}
        except ValueError as error:
            reply["error"] = {"code": INVALID_PARAMS, "message": str(error)}
        self._send(reply)

    @property
    def where(self) -> str:
        """What errors call the program."""
        return self._child.where

    def _fail(self, what: str, advice: str = "") -> MemorySystemError:
        advice = advice or "stdout is for the protocol only: one JSON object a line, then flush"
        return MemorySystemError(what, where=self.where, advice=advice)
