import { buildImages } from './build-images.ts';
import { IMAGES } from './bundle-service.ts';

/** `npm run images [-- service …]` builds all images, or those named. */
const wanted = process.argv.slice(2);
buildImages(wanted.length > 0 ? wanted : IMAGES);
