// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {DevToken} from "../DevToken.sol";
import {Test} from "./Test.sol";

contract DevTokenTest is Test {
    function test_default() public {
        DevToken token = DevToken(_create(_creationCode("DevToken"), abi.encode("Name", "SYM", 18)));
        assertEq(token.decimals(), 18, "decimals");
        assertEq(bytes(token.name()), "Name", "name");
        assertEq(bytes(token.symbol()), "SYM", "symbol");
        assertEq(token.totalSupply(), 0, "totalSupply");
    }

    function testFuzz_mint_isOpen(address to, uint128 amount) public {
        vm.assume(to != address(0));
        DevToken token = DevToken(_create(_creationCode("DevToken"), abi.encode("Name", "SYM", 6)));
        token.mint(to, amount);
        assertEq(token.balanceOf(to), amount, "balance");
    }
}
