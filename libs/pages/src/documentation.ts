/** Name of the memory that the demo puts the documentation into, and that the question box of the site asks. */
export const DOCUMENTATION_MEMORY = 'Cairn documentation';
