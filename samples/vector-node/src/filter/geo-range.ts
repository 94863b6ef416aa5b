import type { PropertyDefinition } from '../definition.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { Leaf } from './where.ts';

interface Coordinates {
  latitude: number;
  longitude: number;
}

export function geoTest(leaf: Leaf, property: PropertyDefinition): (object: StoredObject) => boolean {
  const { geoCoordinates, distance } = leaf.value as {
    geoCoordinates: Coordinates;
    distance: { max: number };
  };
  return (object) => {
    const place = object.read(property.name) as Coordinates | undefined;
    return place !== undefined && metresBetween(place, geoCoordinates) <= distance.max;
  };
}

/** On a sphere of the earth's mean radius. */
function metresBetween(a: Coordinates, b: Coordinates): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const latitude = Math.sin(radians(b.latitude - a.latitude) / 2);
  const longitude = Math.sin(radians(b.longitude - a.longitude) / 2);
  const across = Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * longitude ** 2;
  return 2 * 6_371_000 * Math.asin(Math.min(1, Math.sqrt(latitude ** 2 + across)));
}
