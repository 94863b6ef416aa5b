import type { EditorRequests } from '@trestle/driver-kit';

const tenant = 'tenant=';

/** REST paths that people use by hand. Add only paths that every supported version and the sample node have. */
export const editorRequests: EditorRequests = {
  prefix: '/v1',
  paths: [
    { method: 'GET', path: '/meta', summary: 'Version and modules' },
    {
      method: 'GET',
      path: '/nodes',
      summary: 'State of the nodes',
      parameters: ['output=minimal', 'output=verbose'],
    },
    { method: 'GET', path: '/schema', summary: 'All collections' },
    {
      method: 'POST',
      path: '/schema',
      summary: 'Create a collection',
      body: '{\n  "class": "Name",\n  "properties": [{ "name": "title", "dataType": ["text"] }]\n}',
    },
    { method: 'GET', path: '/schema/{table}', summary: 'One collection' },
    { method: 'PUT', path: '/schema/{table}', summary: 'Change the settings of a collection' },
    { method: 'DELETE', path: '/schema/{table}', summary: 'Delete a collection with its objects' },
    {
      method: 'POST',
      path: '/schema/{table}/properties',
      summary: 'Add a property',
      body: '{ "name": "title", "dataType": ["text"] }',
    },
    { method: 'GET', path: '/schema/{table}/tenants', summary: 'Tenants of a collection' },
    {
      method: 'POST',
      path: '/schema/{table}/tenants',
      summary: 'Create tenants',
      body: '[{ "name": "acme" }]',
    },
    {
      method: 'PUT',
      path: '/schema/{table}/tenants',
      summary: 'Change the state of tenants',
      body: '[{ "name": "acme", "activityStatus": "HOT" }]',
    },
    {
      method: 'DELETE',
      path: '/schema/{table}/tenants',
      summary: 'Delete tenants with their objects',
      body: '["acme"]',
    },
    {
      method: 'GET',
      path: '/objects',
      summary: 'Objects of a collection',
      parameters: [
        'class={table}',
        'limit=10',
        'offset=',
        'after=',
        'sort=',
        'order=asc',
        'order=desc',
        'include=vector',
        tenant,
      ],
    },
    {
      method: 'POST',
      path: '/objects',
      summary: 'Create an object',
      body: '{\n  "class": "Name",\n  "properties": {}\n}',
    },
    {
      method: 'GET',
      path: '/objects/{table}/{id}',
      summary: 'One object',
      parameters: ['include=vector', tenant],
    },
    {
      method: 'HEAD',
      path: '/objects/{table}/{id}',
      summary: 'Whether an object exists',
      parameters: [tenant],
    },
    {
      method: 'PATCH',
      path: '/objects/{table}/{id}',
      summary: 'Change properties of an object',
      body: '{\n  "class": "{table}",\n  "properties": {}\n}',
    },
    {
      method: 'PUT',
      path: '/objects/{table}/{id}',
      summary: 'Replace an object',
      body: '{\n  "class": "{table}",\n  "properties": {}\n}',
    },
    { method: 'DELETE', path: '/objects/{table}/{id}', summary: 'Delete an object', parameters: [tenant] },
    {
      method: 'POST',
      path: '/batch/objects',
      summary: 'Create or replace many objects',
      body: '{ "objects": [] }',
    },
    {
      method: 'DELETE',
      path: '/batch/objects',
      summary: 'Delete every object that matches a filter',
      parameters: [tenant],
      body: '{\n  "match": {\n    "class": "Name",\n    "where": { "path": ["title"], "operator": "Equal", "valueText": "" }\n  },\n  "dryRun": true\n}',
    },
    {
      method: 'POST',
      path: '/graphql',
      summary: 'Run a GraphQL query',
      body: '{ "query": "{ Get { Name { _additional { id } } } }" }',
    },
  ],
};
