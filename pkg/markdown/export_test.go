package markdown

// Within is within for the tests.
var Within = within
