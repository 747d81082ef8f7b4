/** Of the installation: all its parts are released together. */
export const VERSION = '0.1.0';
