/** The worker already uses this cache. The processes that it starts must not inherit it. */
delete process.env.NODE_COMPILE_CACHE;
