/** This worker already uses the compile cache. The processes that the worker starts must not inherit the variable. */
delete process.env.NODE_COMPILE_CACHE;
