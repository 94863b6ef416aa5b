/** Only the worker uses this cache. Processes that a test starts compile their code as for a user. */
delete process.env.NODE_COMPILE_CACHE;
