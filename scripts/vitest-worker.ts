/** The cache is for the worker. The processes that a test starts compile their code as they do for a user. */
delete process.env.NODE_COMPILE_CACHE;
