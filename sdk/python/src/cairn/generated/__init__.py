# Written by `npm run generate:sdks` from the operations of the API. Changes here are lost.
