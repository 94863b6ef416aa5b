import { describeDriverContract, noNetwork } from '@trestle/driver-kit/testing';
import { driver } from './driver.ts';
import { sqliteTarget } from './testing/contract-target.ts';

describeDriverContract(
  'SQLite',
  sqliteTarget({
    connect: (file) =>
      driver.connect(
        { fields: { file }, log: () => {}, dial: noNetwork },
        { signal: new AbortController().signal },
      ),
    interrupts: false,
  }),
);
