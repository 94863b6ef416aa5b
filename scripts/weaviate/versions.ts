/** The newest and the oldest server that Trestle supports. Tests run on both. */
export const newestWeaviate = '1.39.0';
const oldestWeaviate = '1.27.27';
export const testedVersions = [newestWeaviate, oldestWeaviate];
