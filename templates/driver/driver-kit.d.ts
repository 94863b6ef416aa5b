// The types of driver-kit.js, once `npm install` has installed the kit.
export * from '@trestle/driver-kit';
