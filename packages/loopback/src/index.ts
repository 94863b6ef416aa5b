export { forgetKeptPort, listenOnKeptPort } from './kept-port.ts';
export { Seats } from './seats.ts';
