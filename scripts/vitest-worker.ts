/** Only the worker uses the cache. Processes that a test starts compile their code as for a user. */
delete process.env.NODE_COMPILE_CACHE;
