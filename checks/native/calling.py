"""Calling machine code by its address, and asking for memory ahead of time, from numba."""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core.cgutils import get_or_insert_function
from numba.extending import intrinsic

from ..explore.machine_code import njit

__all__ = ["call4", "njit", "prefetch"]


@intrinsic
def call4(typingctx, address, a, b, c, d):
    """The function at the address, of four words, giving a word."""
    signature = types.int64(types.int64, types.int64, types.int64, types.int64, types.int64)

    def generate(context, builder, signature, args):
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word] * 4)
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), args[1:])
    return signature, generate


@intrinsic
def prefetch(typingctx, address):
    """The memory at the address will be read soon."""
    signature = types.void(types.int64)

    def generate(context, builder, signature, args):
        i32, pointer = ir.IntType(32), ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [pointer, i32, i32, i32])
        fn = get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(fn, [builder.inttoptr(args[0], pointer), i32(0), i32(3), i32(1)])
        return context.get_dummy_value()
    return signature, generate
