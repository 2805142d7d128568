// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {IPaymaster} from "../../interfaces/ERC4337.sol";
import {Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {Claims} from "../../smart-balance/Claims.sol";
import {MIN_POST_OP_GAS, PROBE_GAS} from "../../smart-balance/Constants.sol";
import {TokenProxy} from "../attacks/FailWithoutARecord.t.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";
import {ExpensiveToken} from "./Tokens.sol";

/// @notice How much more a token may cost than USDC's proxy before a failure counts as the account's although the token
/// refused the loan, and before postOp cannot record a failure. The figures are shown with -vv.
contract ProbeTest is SmartBalanceTest {
    event log_named_uint(string key, uint256 value);

    address private constant IMPLEMENTATION = address(0x1213);
    uint128 private constant LOAN = 100e6;

    address private token;

    function setUp() public override {
        super.setUp();
        token = address(tokenOn[O]);
        vm.etch(IMPLEMENTATION, token.code);
        vm.etch(token, type(TokenProxy).runtimeCode);
        vm.store(token, keccak256("implementation"), bytes32(uint256(uint160(IMPLEMENTATION))));
    }

    function test_marginOfProxy() public {
        assertWithin(_marginOfProbe("proxy"), 45_000, PROBE_GAS, "margin of the probe");
        assertWithin(_marginOfPostOp("proxy"), 65_000, MIN_POST_OP_GAS, "margin of postOp");
    }

    function test_marginIfReadingCostsMore() public {
        _makeExpensive(20_000, 0);
        assertWithin(_marginOfProbe("proxy, balanceOf + 20,000"), 30_000, PROBE_GAS, "margin of the probe");
        assertWithin(_marginOfPostOp("proxy, balanceOf + 20,000"), 45_000, MIN_POST_OP_GAS, "margin of postOp");
    }

    function test_marginIfBothCostMore() public {
        _makeExpensive(20_000, 20_000);
        assertWithin(_marginOfProbe("proxy, both + 20,000"), 10_000, PROBE_GAS, "margin of the probe");
        assertWithin(_marginOfPostOp("proxy, both + 20,000"), 25_000, MIN_POST_OP_GAS, "margin of postOp");
    }

    /// @dev However expensive the token is, postOp still records the failure.
    function test_tooExpensiveToProbe() public {
        _makeExpensive(80_000, 0);
        assertWithin(_marginOfPostOp("proxy, balanceOf + 80,000"), 12_000, MIN_POST_OP_GAS, "margin of postOp");
    }

    /// @dev What counts as an answer, less the least with which the probe answers, everything cold.
    function _marginOfProbe(string memory name) private returns (uint256 margin) {
        uint256 least = _least(this.probeWith);
        emit log_named_uint(string.concat("probe, ", name), least);
        return PROBE_GAS - PROBE_GAS / 16 - least;
    }

    /// @dev MIN_POST_OP_GAS less the least with which postOp records a failure, everything cold.
    function _marginOfPostOp(string memory name) private returns (uint256 margin) {
        uint256 least = _least(this.postOpWith);
        emit log_named_uint(string.concat("postOp, ", name), least);
        return MIN_POST_OP_GAS - least;
    }

    function probeWith(uint256 gas) external returns (bool) {
        _cool();
        try smartBalance.probe{gas: gas}(LOAN) {}
        catch (bytes memory reason) {
            return bytes4(reason) == Claims.LoanPayable.selector;
        }
        return false;
    }

    function postOpWith(uint256 gas) external returns (bool) {
        _cool();
        bytes memory context = abi.encode(keccak256("order"), account, gas, LOAN);
        bytes memory call_ = abi.encodeCall(IPaymaster.postOp, (IPaymaster.PostOpMode.opReverted, context, 0, 0));
        vm.prank(address(entryPoint));
        (bool success,) = address(smartBalance).call{gas: gas}(call_);
        return success && _outcome(account, gas) == Outcome.Failed;
    }

    function _least(function(uint256) external returns (bool) attempt) private returns (uint256 most) {
        uint256 tooLittle;
        most = MIN_POST_OP_GAS;
        while (most - tooLittle > 1) {
            uint256 middle = (most + tooLittle) / 2;
            if (attempt(middle)) most = middle;
            else tooLittle = middle;
        }
    }

    function _cool() private {
        vm.cool(address(smartBalance));
        vm.cool(token);
        vm.cool(IMPLEMENTATION);
    }

    function _makeExpensive(uint256 reading, uint256 moving) private {
        vm.etch(IMPLEMENTATION, address(new ExpensiveToken(reading, moving)).code);
    }
}
