/** The rows of the access table about what everybody knows of their organisation. */

export const OF_ORGANISATION = [
  'GET /api/v1/realm/profile_fields',
  'GET /api/v1/channel_folders',
  'GET /api/v1/realm/domains',
  'GET /api/v1/realm/emoji',
  'GET /api/v1/realm/filters',
  'GET /api/v1/realm/linkifiers',
];
