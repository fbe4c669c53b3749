# Makes _interface.py of romark.h, so that the module has no declarations of its own:
# cmake -DHEADER=romark.h -DOUTPUT=_interface.py -DLIBRARY=../../libromark.so.1 -P interface.cmake
file(READ "${HEADER}" text)
string(REGEX MATCH "#define ROMARK_INTERFACE ([0-9]+)" found "${text}")
set(interface ${CMAKE_MATCH_1})
string(REGEX REPLACE "#ifdef __cplusplus\n[^#]*#endif\n" "" text "${text}")
string(REGEX REPLACE "\n#[^\n]*" "" text "${text}")
file(WRITE "${OUTPUT}.new" "# Made of romark/romark.h when romark was built.\nINTERFACE = ${interface}\nLIBRARY = \"${LIBRARY}\"\nCDEF = r'''\n${text}'''\n")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
