/** Queries for the sample's collections, with the rows that a person judged as right. */
export interface SampleQuerySet {
  connectionId: string;
  table: string;
  name: string;
  queries: { text: string; right: string[] }[];
}

type Rows = Record<string, string>;

/**
 * Judged by hand: all rows of the collection were read for each query. A row is right if its text answers the query.
 * The names of the rows are for the reader: the app uses only their ids.
 */
const sets: { table: string; name: string; queries: [text: string, right: Rows][] }[] = [
  {
    table: 'Mission',
    name: 'Missions, by hand',
    queries: [
      [
        'animals that went to space',
        {
          'Sputnik 2': '6cf928ed-87fc-5c06-84b4-0ebd726eaf36',
          'Korabl-Sputnik 2': '10b609d1-1e17-52f3-ab58-460e802e09fa',
          'Zond 5': '90af6666-04c9-5788-99bf-8634e47c6cfc',
        },
      ],
      [
        'looking for planets around other stars',
        {
          Kepler: 'd0e5e0df-a941-5f34-aab8-34745cd365ae',
          TESS: 'f61a1c5d-f036-5373-8a7b-79ec54d2c8f0',
          CHEOPS: 'fec418a8-7bbf-5e8d-bf9e-fe4c23897c50',
          Spitzer: '5dcdee08-d5b2-572f-9634-ea72591a31d1',
        },
      ],
      [
        'samples brought back from an asteroid or comet',
        {
          Stardust: 'a1f98a60-0072-52c1-82ee-2fbfb29b7957',
          Hayabusa: 'e7ce2a9e-c1c7-57e7-a688-6f5764bc4494',
          Hayabusa2: 'c1c8b3d3-e1c0-59c1-9045-b07997dace2f',
          'OSIRIS-REx': '0c222849-914e-5122-95f6-0942a19814d5',
        },
      ],
      [
        'soil and rock returned from the Moon by a robot',
        {
          'Luna 16': '006888ec-277d-5f64-91ca-1997c3020401',
          "Chang'e 5": 'de1c0092-1031-5c41-98c8-cd473afdac06',
          "Chang'e 6": '654e3460-6fda-5caf-aff2-f4709c7ef066',
        },
      ],
      [
        'the first woman',
        {
          'Vostok 6': 'e641311c-c756-59cb-a589-ab376068840a',
          'STS-7': 'ac7d3c91-0adc-566f-8ef4-0675d5b0bdb7',
          'STS-93': 'b32ef364-d442-5541-9fa4-2ee11d59dd7a',
          'Shenzhou 9': '47f6d625-c595-5995-ad3f-e522fe16769b',
        },
      ],
      [
        'a rover driving on Mars',
        {
          'Mars Pathfinder': 'eb16fa7f-f8ab-5b3d-8793-f15c90464c02',
          Spirit: '254f85a9-a74b-55f4-bc6b-6e2c00afc14a',
          Opportunity: '3d4f5903-6ed8-5d77-81c1-795a74af12ed',
          'Mars Science Laboratory': 'a7371b82-5ca1-5590-8c2b-faf003f28b9f',
          'Mars 2020': 'e4b43ee8-cab5-575b-bb7f-7d1b3bf37f0b',
          'Tianwen-1': 'a84ea07c-30f6-5c3c-a424-b007514bce10',
        },
      ],
      [
        'mapping Venus by radar',
        {
          'Pioneer Venus Orbiter': '35c7d5e1-65bf-5b4f-8df7-706623c410d7',
          Magellan: '2115fad7-9d40-51e6-9370-7e702463346b',
        },
      ],
      [
        'accidents in which a crew died',
        {
          'Salyut 1': '957f7a1a-b56b-5489-ba5e-fb7367a93764',
          'STS-51-L': 'ab738017-856f-5f46-ac71-0353269d461d',
        },
      ],
      [
        'sea level and ocean',
        {
          'Jason-3': '649d4541-20fd-5c3e-87bc-298dd94357ac',
          SWOT: 'ca47e15a-eb32-5edc-8ba7-493b9d11d782',
          PACE: 'd21072e7-8c73-58ac-817f-dda9dd504193',
        },
      ],
      [
        'ion engine',
        {
          'Deep Space 1': '7eb32c42-5a4d-5f98-9573-cad6b842ef68',
          'SMART-1': '0096f0ce-1613-527b-942f-3f1fd56e7d58',
        },
      ],
      [
        'afterglow of the Big Bang',
        {
          COBE: 'fb71ae5c-5da1-5921-a727-acabb91353b7',
          WMAP: '210e0026-46ff-51f2-9f01-965a8c409b72',
          Planck: '382bc27d-1ec0-562e-8efe-89b310fd09ba',
        },
      ],
      [
        'ice at the poles of the Moon',
        {
          Clementine: '9d33ba91-4c7b-5445-979b-e8ef90af8243',
          'Lunar Prospector': '8ecbc153-602a-5b2d-86ad-cb81f779ac37',
          Danuri: '23f12e2d-f062-58d6-81db-016968b03383',
        },
      ],
      [
        'spacewalk',
        {
          'Voskhod 2': '34d2fd2a-c3cd-58f1-ace9-275e84a0fa0e',
          'Gemini 4': 'b9f13b0b-abb4-5cc2-a780-11adebb16b21',
          'STS-61': '2b2568c3-328d-588d-9173-a2607c9e95b6',
          'Polaris Dawn': '2939acd2-1da8-521f-92fc-de0e22bfffb7',
        },
      ],
      [
        'studying the Sun from close by',
        {
          'Parker Solar Probe': 'aa16d7a4-5b61-50a8-9d41-df95d9a8c9fc',
          'Solar Orbiter': '3d980da2-2410-539c-96cf-a430101bcd38',
          Ulysses: '20c29441-c1e0-5158-a137-3e11866fa2cf',
          SOHO: 'b42cf4d5-5f73-59f4-963d-263ad01eec3e',
          'Aditya-L1': '23fa5c92-af2c-5ec8-9346-0973a7b6cb23',
        },
      ],
    ],
  },
  {
    table: 'Species',
    name: 'Species, by hand',
    queries: [
      [
        'birds that cannot fly',
        {
          'Emperor penguin': 'dfe1ce51-ce40-55c5-987a-483c4a5f92b3',
          'King penguin': '617bd1ba-4ebf-5f4a-9075-ed13276348c1',
          'Common ostrich': '0f04a933-a223-565a-8406-33522dec7a4e',
          Emu: 'c0e9222b-cf8a-59b1-b93b-3475f7c7d2f2',
          'North Island brown kiwi': 'f10bfc27-be1a-51ac-9de9-a2a556aa35a5',
          Kākāpō: '45e904d1-2787-536a-8ff7-bb2343a9e3ff',
        },
      ],
      [
        'mammals that lay eggs',
        {
          Platypus: '0e0d78ce-8d9f-5196-a4d9-144c1184ade0',
          'Short-beaked echidna': '4b7f4993-af0a-5a80-a1a2-3362e719d90b',
        },
      ],
      [
        'apes',
        {
          'Western gorilla': 'ab4a970a-de85-5aed-a5eb-6d430b58cf13',
          Chimpanzee: '86a42edd-26db-5d2e-858a-68bfaa95b5fd',
          'Bornean orangutan': 'd3aaf87b-20e2-5ede-98f3-614d2e4bb4ef',
        },
      ],
      [
        'insects that live in colonies',
        {
          'Western honey bee': 'dd552a26-c109-52ac-94d9-47e4a055974e',
          'Buff-tailed bumblebee': '68040074-391e-5b12-ab85-ce380addb248',
          'Red wood ant': 'c5de13fe-6edb-5807-9b5d-c6fc9b885078',
          'Leafcutter ant': 'f268e8e5-42b5-542a-b7a3-2c32ba836e3e',
        },
      ],
      [
        'venomous snakes',
        {
          'King cobra': 'd9914aa6-bceb-56db-8f3c-b9da8e2e06df',
          'Common European adder': 'bbbc608f-13c3-5374-ae01-2e6f0ac07363',
        },
      ],
      [
        'animals of the Arctic ice',
        {
          'Polar bear': '4ef9ff7c-b23e-5c13-ae11-12d2590a5a9f',
          'Arctic fox': 'cdbe3601-b5de-55ab-989f-26175c9f06c7',
          Walrus: '0aa063ab-e255-5ec7-8e8f-9fe931189fb4',
          Narwhal: '4d093d2b-f793-59db-9fde-b2167f2712a0',
        },
      ],
      [
        'parrots',
        {
          Kākāpō: '45e904d1-2787-536a-8ff7-bb2343a9e3ff',
          Kea: '2d4a5245-2a57-5ff2-9b86-6dc4d0d0348a',
          'Scarlet macaw': '426c867c-6df9-53e9-85e2-8844c273b41c',
          'African grey parrot': '660e3512-6551-59d9-929d-b1be1cb88068',
        },
      ],
      [
        'poisonous skin',
        {
          'Golden poison frog': '6b308eee-c828-5a5a-ac28-542bb1dfa6bf',
          'Fire salamander': '2c497480-6712-5580-9e7b-b833ad304d9d',
        },
      ],
      [
        'eats ants and termites',
        {
          'Giant anteater': '78cc7350-874b-5e45-b5c2-f631dbe11908',
          'Sunda pangolin': '53b39805-3d70-55a0-853b-739cce86bfe8',
          'Short-beaked echidna': '4b7f4993-af0a-5a80-a1a2-3362e719d90b',
          Chimpanzee: '86a42edd-26db-5d2e-858a-68bfaa95b5fd',
        },
      ],
      [
        'whales and dolphins',
        {
          'Blue whale': 'd9550057-92cb-555f-996e-a0e8c20d2cdd',
          'Humpback whale': '44239968-2f5f-5025-8da6-b38d275faed9',
          'Sperm whale': 'f7b3db93-c751-59cd-817a-a85921415b3a',
          Orca: '9738e7ab-f3db-54e1-b3be-0cc5311cc6c6',
          'Common bottlenose dolphin': '2fa1fdec-9078-5a2a-a2f2-65f81bc561e7',
          Narwhal: '4d093d2b-f793-59db-9fde-b2167f2712a0',
        },
      ],
    ],
  },
];

export function sampleQuerySets(connectionId: string): SampleQuerySet[] {
  return sets.map(({ table, name, queries }) => ({
    connectionId,
    table,
    name,
    queries: queries.map(([text, right]) => ({ text, right: Object.values(right) })),
  }));
}

/** The rows with names, for the test that compares names and ids. */
export const sampleJudgements = sets;
