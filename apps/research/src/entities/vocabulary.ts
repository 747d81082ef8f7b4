/** Distinguishes a school from an employer by its name. */
export const SCHOOL = /universit|college|institut|school|academy|polytechnic|ETH\b|EPFL|MIT\b|hochschule|école/iu;
