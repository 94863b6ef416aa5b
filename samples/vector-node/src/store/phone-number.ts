import type { CheckedValue } from './checked-value.ts';

/**
 * Parses international numbers with one of the country codes below, and national numbers of those countries. In any
 * other international number, the first three digits count as the country code. Weaviate uses a library of numbering
 * plans. The sample only needs to show the fields.
 */
export function phoneNumber(value: unknown): CheckedValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { refusal: 'phoneNumber must be a map' };
  }
  const { input, defaultCountry } = value as { input?: unknown; defaultCountry?: unknown };
  if (typeof input !== 'string') return { refusal: "phoneNumber is missing required field 'input'" };
  const digits = input.replace(/[^\d+]/g, '');
  const ownCode = typeof defaultCountry === 'string' ? codes[defaultCountry.toUpperCase()] : undefined;
  if (!digits.startsWith('+') && ownCode === undefined) {
    return {
      refusal:
        'invalid phone number: invalid or missing defaultCountry - this field is optional if the specified number is in the international format, but required if the number is in national format, use ISO 3166-1 alpha-2',
    };
  }
  const bare = digits.replace('+', '');
  const code = digits.startsWith('+') ? codeAtStart(bare) : String(ownCode);
  const national = (digits.startsWith('+') ? bare.slice(code.length) : bare).replace(/^0+/, '');
  return {
    value: {
      countryCode: Number(code),
      ...(defaultCountry !== undefined && { defaultCountry }),
      input,
      internationalFormatted: `+${code} ${national}`,
      national: Number(national),
      nationalFormatted: `0${national}`,
      valid: national.length >= 4 && national.length <= 12,
    },
  };
}

const codes: Record<string, number> = {
  US: 1,
  CA: 1,
  RU: 7,
  EG: 20,
  ZA: 27,
  GR: 30,
  NL: 31,
  BE: 32,
  FR: 33,
  ES: 34,
  HU: 36,
  IT: 39,
  RO: 40,
  CH: 41,
  AT: 43,
  GB: 44,
  DK: 45,
  SE: 46,
  NO: 47,
  PL: 48,
  DE: 49,
  MX: 52,
  BR: 55,
  AU: 61,
  NZ: 64,
  SG: 65,
  JP: 81,
  KR: 82,
  CN: 86,
  TR: 90,
  IN: 91,
  PT: 351,
  LU: 352,
  IE: 353,
  FI: 358,
  CZ: 420,
  UA: 380,
};

function codeAtStart(digits: string): string {
  const known = new Set(Object.values(codes).map(String));
  return (
    [1, 2, 3].map((length) => digits.slice(0, length)).find((code) => known.has(code)) ?? digits.slice(0, 3)
  );
}
