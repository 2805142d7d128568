// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {SmartBalanceTest} from "./SmartBalanceTest.sol";

/// @notice Shared by the handlers of invariant campaigns: each call is a step on one of the networks O and A.
abstract contract Campaign is SmartBalanceTest {
    uint256 private _clock;

    /// @dev Between calls, the network is O. The steps do not rely on cheat codes of earlier calls.
    modifier step(uint256 networkSeed) {
        vm.warp(_clock);
        vm.chainId(O);
        vm.record();
        _on(networkSeed % 2 == 0 ? O : A);
        _;
        _on(O);
        _clock = block.timestamp;
    }

    function setUp() public virtual override {
        super.setUp();
        for (uint64 id = O; id <= A; ++id) {
            _on(id);
            _depositAndPin(500e6);
        }
        _on(O);
        _clock = block.timestamp;
    }
}
