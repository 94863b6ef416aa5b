// The types of driver-kit.js, once `npm install` has brought the kit.
export * from '@trestle/driver-kit';
